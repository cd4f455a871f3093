// What the tests of uploads share.

export const UPLOADS = '/api/v1/artifact/uploads';

export const FILES = '/api/v1/artifact/files';
