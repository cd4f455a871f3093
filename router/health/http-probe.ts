// One health probe over HTTP, for components that are other services.
import { request } from 'undici';

/** The HTTP status of a GET; null without a response in time. */
export async function httpProbe(url: string, signal: AbortSignal): Promise<number | null> {
  try {
    const { statusCode, body } = await request(url, { signal, headers: { accept: 'application/json, */*' } });
    await body.dump({ limit: 65_536, signal });
    return statusCode;
  } catch (error) {
    if (error instanceof Error) return null; // refused, reset, aborted: no response
    throw error;
  }
}
