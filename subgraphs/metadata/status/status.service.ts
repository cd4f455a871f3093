// What the component says of itself (spec 2 «GET /health, GET /»).

export interface ServiceStatus { readonly service: string; readonly version: string; readonly docs: string }

export class StatusService {
  readonly #version: string;
  readonly #fault: () => Promise<string | null>;

  /** @param fault what stands in the way of the component's work; null for nothing */
  constructor(version: string, fault: () => Promise<string | null>) {
    this.#version = version;
    this.#fault = fault;
  }

  about(): ServiceStatus {
    return { service: 'metadata', version: this.#version, docs: '/api/v1/docs' };
  }

  async status(): Promise<'healthy' | 'unhealthy'> {
    return await this.#fault() === null ? 'healthy' : 'unhealthy';
  }

  fault(): Promise<string | null> {
    return this.#fault();
  }
}
