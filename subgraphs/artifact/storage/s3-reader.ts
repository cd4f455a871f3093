// Reads objects of S3 that are not in our store: where entities say that their files are.
import { Readable } from 'node:stream';
import type { Config } from '../../../platform/config/load-config.ts';

/** With the store's own service and credentials where the store is one of S3; else with what the environment has. */
export const s3Reader = (settings: Config['artifact']['store']) => async (bucket: string, key: string): Promise<Readable> => {
  const [{ GetObjectCommand }, { s3ClientOf }] = await Promise.all([import('@aws-sdk/client-s3'), import('./s3-store.ts')]);
  const client = s3ClientOf(settings.type === 's3' ? settings : { type: 's3', bucket, prefix: '', region: 'us-east-1', pathStyle: false });
  const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
  if (!(Body instanceof Readable)) throw new Error('an object without content');
  return Body;
};
