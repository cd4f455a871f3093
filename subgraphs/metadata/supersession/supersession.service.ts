// Superseding entities (docs/reference/metadata.md#supersession).
import { type WrittenEntity, withTimestamps } from '../entities/written-entity.ts';
import type { Write, Written } from '../log/write.ts';
import { type SupersedeRequest, supersedeEntity } from './supersession-write.ts';

export interface Supersession {
  readonly superseded: WrittenEntity;
  readonly replacement: WrittenEntity;
}

/** All or nothing. @throws DomainError as {@link supersedeEntity} */
export class SupersessionService {
  readonly #write: <Result>(write: Write<Result>) => Promise<Written<Result>>;
  constructor(write: <Result>(write: Write<Result>) => Promise<Written<Result>>) {
    this.#write = write;
  }

  async supersede(request: SupersedeRequest): Promise<Supersession> {
    const { result, times } = await this.#write(supersedeEntity(request));
    return {
      superseded: withTimestamps({ result: result.old, times }),
      replacement: withTimestamps({ result: result.replacement, times }),
    };
  }
}

/** The slice of the resolvers' context. */
export interface SupersessionSlice {
  readonly supersession: SupersessionService;
}
