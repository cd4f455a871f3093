// One health probe over HTTP, for components that are another service.
import { request } from 'undici';

/** The HTTP status of a GET; null where nothing answered in time. */
export async function httpProbe(url: string, signal: AbortSignal): Promise<number | null> {
  try {
    const { statusCode, body } = await request(url, { signal, headers: { accept: 'application/json, */*' } });
    await body.dump({ limit: 65_536, signal });
    return statusCode;
  } catch (error) {
    if (error instanceof Error) return null; // refused, reset, aborted: nothing answered
    throw error;
  }
}
