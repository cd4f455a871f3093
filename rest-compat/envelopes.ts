// The two shapes of REST answers: metadata's envelope (spec 2) and the bare JSON with gateway errors of everything else (spec 1, 3).
import type { ComponentExtensions } from '../platform/component.ts';
import type { DomainError } from '../platform/errors.ts';

export interface Envelope {
  /** The body of a success, around a payload that is JSON text already. */
  success(payload: string, requestId: string, extensions: ComponentExtensions): string;
  failure(error: DomainError, requestId: string, extensions: ComponentExtensions): string;
}

const meta = (requestId: string, { schemaVersion, nextCursor, warnings }: ComponentExtensions): string =>
  `{"schema_version":"${schemaVersion ?? '0'}","request_id":"${requestId}"${nextCursor === undefined ? '' : `,"next_cursor":${JSON.stringify(nextCursor)}`}${warnings === undefined || warnings.length === 0 ? '' : `,"warnings":${JSON.stringify(warnings)}`}}`;

/** Spec 2 «Response envelope». */
export const metadataEnvelope: Envelope = {
  success: (payload, requestId, extensions) =>
    `{"data":${payload},"error":null,"meta":${meta(requestId, extensions)}}`,
  failure: (error, requestId, extensions) =>
    `{"data":null,"error":${JSON.stringify({ code: error.status, message: error.message })},"meta":${meta(requestId, extensions)}}`,
};

/** Spec 1 «Gateway error»; payloads of workflow and artifact stand bare. */
export const gatewayEnvelope: Envelope = {
  success: (payload) => payload,
  failure: (error, requestId) =>
    JSON.stringify({
      error: error.code,
      message: error.message,
      request_id: requestId,
      details: error.details,
      ...(error.code === 'component_unavailable'
        ? {
            component: error.details['component'] ?? null,
            upstream_status: error.details['upstream_status'] ?? null,
          }
        : {}),
    }),
};
