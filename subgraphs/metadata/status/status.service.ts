// What the component says of itself (spec 2 «GET /health, GET /»).

export interface ServiceStatus { readonly service: string; readonly version: string; readonly docs: string }

export class StatusService {
  readonly #version: string;
  readonly #answers: () => Promise<boolean>;

  /** @param answers whether the component's database does */
  constructor(version: string, answers: () => Promise<boolean>) {
    this.#version = version;
    this.#answers = answers;
  }

  about(): ServiceStatus {
    return { service: 'metadata', version: this.#version, docs: '/api/v1/docs' };
  }

  async status(): Promise<'healthy' | 'unhealthy'> {
    return await this.#answers() ? 'healthy' : 'unhealthy';
  }
}
