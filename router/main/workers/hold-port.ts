// The port of workers that may listen at any.
import { once } from 'node:events';
import net from 'node:net';

/**
 * A free port: the workers share one number, whichever of them listens first. Until it is released nobody else gets it: a
 * first start may take long before its workers listen.
 */
export async function holdPort(host: string): Promise<{ port: number; release: () => Promise<void> }> {
  const holder = net.createServer((socket) => socket.destroy()).listen(0, host);
  await once(holder, 'listening');
  const { port } = holder.address() as net.AddressInfo; // It listens on TCP, so it has one.
  const release = async (): Promise<void> => {
    if (!holder.listening) return;
    holder.close();
    await once(holder, 'close');
  };
  return { port, release };
}
