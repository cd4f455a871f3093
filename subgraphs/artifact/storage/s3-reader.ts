// Reads S3 objects outside of our store, which entities refer to.
import { Readable } from 'node:stream';
import type { Config } from '../../../platform/config/load-config.ts';
import { loadSdk, s3ClientOf } from './s3-store.ts';

/** With the store's service and credentials if the store is S3, else with those of the environment. */
export const s3Reader =
  (settings: Config['artifact']['store']) =>
  async (bucket: string, key: string): Promise<Readable> => {
    const sdk = await loadSdk();
    const client = s3ClientOf(
      sdk,
      settings.type === 's3' ? settings : { region: 'us-east-1', pathStyle: false },
    );
    const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket: bucket, Key: key }));
    if (!(Body instanceof Readable)) throw new Error('the object has no content');
    return Body;
  };
