// The two formats of REST answers: metadata's envelope (docs/reference/api-conventions.md#metadata-envelope),
// and plain JSON with gateway errors elsewhere (docs/reference/api-conventions.md#bare-answers).
import type { ComponentExtensions } from '../platform/component.ts';
import type { DomainError } from '../platform/errors.ts';

export interface Envelope {
  /** Whether the body contains warnings; otherwise a header does. */
  readonly hasWarnings: boolean;
  /** The body of a success, around a payload that is JSON text already. */
  success(payload: string, requestId: string, extensions: ComponentExtensions): string;
  failure(error: DomainError, requestId: string, extensions: ComponentExtensions): string;
}

const basisOf = ({ position, time, schemaRevision }: NonNullable<ComponentExtensions['basis']>): string =>
  JSON.stringify({ position, time, schema_revision: schemaRevision });

const meta = (
  requestId: string,
  { schemaVersion, nextCursor, warnings, basis }: ComponentExtensions,
): string =>
  `{"schema_version":"${schemaVersion ?? '0'}","request_id":"${requestId}"${nextCursor === undefined ? '' : `,"next_cursor":${JSON.stringify(nextCursor)}`}${warnings === undefined || warnings.length === 0 ? '' : `,"warnings":${JSON.stringify(warnings)}`}${basis === undefined ? '' : `,"basis":${basisOf(basis)}`}}`;

/** docs/reference/api-conventions.md#metadata-envelope. */
export const metadataEnvelope: Envelope = {
  hasWarnings: true,
  success: (payload, requestId, extensions) =>
    `{"data":${payload},"error":null,"meta":${meta(requestId, extensions)}}`,
  failure: (error, requestId, extensions) =>
    `{"data":null,"error":${JSON.stringify({ code: error.status, message: error.message })},"meta":${meta(requestId, extensions)}}`,
};

/** docs/reference/api-conventions.md#gateway-error; payloads of workflow and artifact have no envelope. */
export const gatewayEnvelope: Envelope = {
  hasWarnings: false,
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
