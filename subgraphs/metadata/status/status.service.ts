// What the component says of itself (spec 2 «GET /health, GET /»).

export interface ServiceStatus { readonly service: string; readonly version: string; readonly docs: string | null }

export class StatusService {
  readonly #version: string;
  readonly #docs: string | null;
  readonly #answers: () => Promise<boolean>;

  /** @param docs where the interactive documentation is, null where it is switched off. @param answers whether the component's database does */
  constructor(version: string, docs: string | null, answers: () => Promise<boolean>) {
    this.#version = version;
    this.#docs = docs;
    this.#answers = answers;
  }

  about(): ServiceStatus {
    return { service: 'metadata', version: this.#version, docs: this.#docs };
  }

  async status(): Promise<'healthy' | 'unhealthy'> {
    return await this.#answers() ? 'healthy' : 'unhealthy';
  }
}
