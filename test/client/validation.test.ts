// Client library: its own validators, an ordered pipeline before every write; validating without writing
// (docs/reference/metadata.md#client-validators).
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type AggregatedValidationError,
  EntityNotFoundError,
  ValidationError,
  ValidationFailure,
  ValidationPipeline,
} from '../../client/src/index.ts';
import { type Served, servedClient } from './served-client.ts';

let served: Served;
beforeAll(async () => {
  served = await servedClient();
});
afterAll(() => served[Symbol.asyncDispose]());

const WRITE = { operation: 'create', entityType: 'Sample', entityId: null, data: { name: 'x' } } as const;

test('execute runs validators in the order in which they were added and stops at the first that rejects', async () => {
  const asked: number[] = [];
  const pipeline = new ValidationPipeline()
    .add(() => {
      asked.push(1);
    })
    .add(() => {
      asked.push(2);
      return { message: 'second', ruleId: 'two', inputContext: { name: 'x' } };
    })
    .add(() => {
      asked.push(3);
      return 'third';
    });
  const failure = await pipeline.execute(WRITE).catch((error: unknown) => error);
  expect(asked).toEqual([1, 2]);
  expect(failure).toBeInstanceOf(ValidationFailure);
  expect(failure).toMatchObject({
    message: 'second',
    ruleId: 'two',
    inputContext: { name: 'x' },
    entityType: 'Sample',
    entityId: null,
  });
});

test('executeAll runs all of them, one after the other, and throws all their objections', async () => {
  const pipeline = new ValidationPipeline()
    .add(async () => {
      await new Promise((resolve) => {
        setTimeout(resolve, 10);
      });
      return 'slow';
    })
    .add(() => null)
    .add(() => ({ message: 'fast', ruleId: 'f' }));
  const error = (await pipeline
    .executeAll(WRITE)
    .catch((thrown: unknown) => thrown)) as AggregatedValidationError;
  expect(error).toBeInstanceOf(ValidationError);
  expect(error.message).toBe('slow; fast');
  expect(error.failures.map(({ message, ruleId }) => [message, ruleId])).toEqual([
    ['slow', null],
    ['fast', 'f'],
  ]);
  await new ValidationPipeline().add(() => undefined).executeAll(WRITE);
});

test('an empty text is an objection as well', async () => {
  await expect(new ValidationPipeline().add(() => '').execute(WRITE)).rejects.toBeInstanceOf(
    ValidationFailure,
  );
});

test('create, update, delete and ingest run the validators, and send nothing if one rejects', async () => {
  let requests = 0;
  const client = served.connect({
    fetch: (input, init) => {
      requests++;
      return fetch(input, init);
    },
  });
  const seen: unknown[] = [];
  client.addValidator(({ operation, entityType, entityId, data }) => {
    seen.push([operation, entityType, entityId, data]);
    return 'no';
  });
  await expect(client.create('Sample', { name: 'a' })).rejects.toBeInstanceOf(ValidationFailure);
  await expect(client.update('Sample', 'x', { name: 'b' })).rejects.toMatchObject({
    entityId: 'x',
    code: 'LOCAL_VALIDATION',
  });
  await expect(client.delete('Sample', 'x')).rejects.toBeInstanceOf(ValidationFailure);
  await expect(client.ingest('Sample', { name: 'c' }, { id: 'y' })).rejects.toBeInstanceOf(ValidationFailure);
  expect(seen).toEqual([
    ['create', 'Sample', null, { name: 'a' }],
    ['update', 'Sample', 'x', { name: 'b' }],
    ['delete', 'Sample', 'x', {}],
    ['ingest', 'Sample', 'y', { name: 'c' }],
  ]);
  expect(requests).toBe(0);
});

test('validators receive the id that data contains', async () => {
  const client = served.connect();
  const seen: unknown[] = [];
  client.addValidator(({ operation, entityId, data }) => {
    seen.push([operation, entityId, data]);
    return 'no';
  });
  await expect(client.create('Sample', { id: 'within', name: 'a' })).rejects.toMatchObject({
    entityId: 'within',
  });
  await expect(client.ingest('Sample', { id: 'within', name: 'a' })).rejects.toMatchObject({
    entityId: 'within',
  });
  expect(seen).toEqual([
    ['create', 'within', { name: 'a' }],
    ['ingest', 'within', { name: 'a' }],
  ]);
});

test("bypassValidation leaves the client's validators out", async () => {
  const client = served.connect();
  client.addValidator(() => 'no');
  expect(await client.create('Sample', { name: 'a' }, { bypassValidation: true })).toMatchObject({
    version: 1,
  });
});

test('an error thrown by a validator reaches the caller unchanged', async () => {
  const client = served.connect();
  const mine = new TypeError('mine');
  client.addValidator(() => {
    throw mine;
  });
  await expect(client.create('Sample', { name: 'a' })).rejects.toBe(mine);
});

test("validate reports what the client's and the server's validators object to, in this order, and writes nothing", async () => {
  const client = served.connect();
  client.addValidator(({ data }) =>
    data['name'] === '' ? { message: 'a name is empty', ruleId: 'named' } : null,
  );
  expect(await client.validate('Sample', { name: 'a', age: 30 })).toEqual({ valid: true, failures: [] });
  const report = await client.validate('Sample', { name: '', age: 5 });
  expect(report.valid).toBe(false);
  expect(report.failures.map(({ ruleId }) => ruleId)).toEqual(['named', 'adult']);
  expect(
    (await client.validate('Sample', { name: '', age: 5 }, { all: false })).failures.map(
      ({ ruleId }) => ruleId,
    ),
  ).toEqual(['named']);
  expect(await client.query('Sample', { age: 5 }).count()).toBe(0);
});

test('validate knows what a write would do to the entity that is there', async () => {
  const { client } = served;
  const { id } = await client.create('Sample', { name: 'a' });
  expect(await client.validate('Sample', { age: 30 }, { entityId: id, operation: 'update' })).toMatchObject({
    valid: true,
  });
  expect(await client.validate('Sample', { age: 3 }, { entityId: id, operation: 'update' })).toMatchObject({
    valid: false,
    failures: [{ ruleId: 'adult', entityId: id }],
  });
  expect(await client.validate('Sample', { name: 'b' }, { entityId: id, operation: 'create' })).toMatchObject(
    { valid: false },
  );
  expect(await client.validate('Sample', {}, { entityId: id, operation: 'delete' })).toMatchObject({
    valid: true,
  });
  await expect(
    client.validate('Sample', { age: 30 }, { entityId: 'nobody', operation: 'update' }),
  ).rejects.toBeInstanceOf(EntityNotFoundError);
});

test('validate of an unknown type says so', async () => {
  for (const operation of [undefined, 'create', 'ingest'] as const) {
    expect(await served.client.validate('Nothing', { name: 'a' }, { operation })).toMatchObject({
      valid: false,
      failures: [{ message: 'unknown entity type: Nothing' }],
    });
  }
});
