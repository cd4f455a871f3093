// A service of S3 as a process, on whatever host it is started: the address and the port are its arguments.
import { startS3 } from '../artifact/s3-server.ts';

const [address = '', port = ''] = process.argv.slice(2);
const { url } = await startS3('cairn', { address, port: Number(port) });
process.stdout.write(`${url} listens\n`);
