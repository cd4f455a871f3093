// What other origins may do (docs/reference/gateway.md#cors).
/** The section `cors` of the configuration. */
export interface CorsPolicy {
  /**
   * Exact origins, or `*`. With credentials allowed, `*` is answered as `*`, which browsers refuse to
   * combine.
   */
  readonly allowedOrigins: readonly string[];
  readonly allowedMethods: readonly string[];
  readonly allowedHeaders: readonly string[];
  readonly allowCredentials: boolean;
  /** Seconds a preflight's answer may be kept. */
  readonly maxAge: number;
}
