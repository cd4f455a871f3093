// The component's status (docs/reference/metadata.md#status).

export interface ServiceStatus {
  readonly service: string;
  readonly version: string;
  readonly docs: string | null;
}

export class StatusService {
  readonly #version: string;
  readonly #docs: string | null;
  readonly #fault: () => Promise<string | null>;

  /**
   * @param docs location of the interactive documentation, null if it is off
   * @param fault what prevents the component from working; null for nothing
   */
  constructor(version: string, docs: string | null, fault: () => Promise<string | null>) {
    this.#version = version;
    this.#docs = docs;
    this.#fault = fault;
  }

  about(): ServiceStatus {
    return { service: 'metadata', version: this.#version, docs: this.#docs };
  }

  async status(): Promise<'healthy' | 'unhealthy'> {
    return (await this.#fault()) === null ? 'healthy' : 'unhealthy';
  }

  fault(): Promise<string | null> {
    return this.#fault();
  }
}

/** The slice of the resolvers' context. */
export interface StatusSlice {
  readonly status: StatusService;
}
