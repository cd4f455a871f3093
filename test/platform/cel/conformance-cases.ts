// The standard's own conformance cases, as the library provides them, with plain values instead of protobuf's
// JSON.
import { tests } from '@bufbuild/cel-spec/testdata/conformance.js';
import type { SerializedIncrementalTestSuite } from '@bufbuild/cel-spec/testdata/tests.js';
import type { CelInput } from '@bufbuild/cel';
import { celUint, objectType } from '@bufbuild/cel';
import { fromJson } from '@bufbuild/protobuf';
import { DurationSchema, TimestampSchema } from '@bufbuild/protobuf/wkt';

export interface ConformanceCase {
  /** `file/section/name` */
  readonly id: string;
  readonly expr: string;
  readonly bindings: ReadonlyMap<string, CelInput>;
  /** The expected value; null for an error. */
  readonly expected: { readonly value: CelInput } | null;
  /** Why it does not apply to Cairn's CEL; undefined if it does. */
  readonly skip?: string;
}

type Json = Readonly<Record<string, unknown>>;
type Original = NonNullable<SerializedIncrementalTestSuite['tests']>[number]['original'];

class NotPlain extends Error {}

/** cel.expr.Value in protobuf's JSON. @throws NotPlain for messages and enums */
function valueOf(json: Json): CelInput {
  const [kind = '', raw] = Object.entries(json)[0] ?? [];
  switch (kind) {
    case 'nullValue':
      return null;
    case 'boolValue':
    case 'stringValue':
      return raw as boolean | string; // Protobuf's JSON of these kinds.
    case 'int64Value':
      return BigInt(raw as string); // 64-bit integers are text in protobuf's JSON.
    case 'uint64Value':
      return celUint(BigInt(raw as string)); // As above.
    case 'doubleValue':
      return Number(raw); // "NaN" and "Infinity" are text there, with JavaScript's names.
    case 'bytesValue':
      return new Uint8Array(Buffer.from(String(raw), 'base64'));
    case 'listValue':
      // cel.expr.ListValue.
      return (((raw as Json)['values'] as readonly Json[] | undefined) ?? []).map(valueOf);
    case 'mapValue': {
      // cel.expr.MapValue.
      const entries = ((raw as Json)['entries'] as readonly { key: Json; value: Json }[] | undefined) ?? [];
      return new Map(entries.map(({ key, value }) => [keyOf(valueOf(key)), valueOf(value)]));
    }
    case 'objectValue': {
      const message = raw as Json; // google.protobuf.Any.
      const text = message['value'] as string; // The JSON form of both messages is text.
      if (String(message['@type']).endsWith('google.protobuf.Timestamp'))
        return fromJson(TimestampSchema, text);
      if (String(message['@type']).endsWith('google.protobuf.Duration'))
        return fromJson(DurationSchema, text);
      throw new NotPlain('protobuf messages');
    }
    case 'typeValue':
      return objectType(String(raw)); // types are equal by name
    default:
      throw new NotPlain('protobuf messages');
  }
}

function keyOf(key: CelInput): string | bigint | boolean {
  if (typeof key === 'string' || typeof key === 'bigint' || typeof key === 'boolean') return key;
  if (typeof key === 'object' && key !== null && 'value' in key && typeof key.value === 'bigint')
    return key.value;
  throw new NotPlain('map keys');
}

/** Files of extensions to the standard; of these Cairn has `strings` and `math`. */
const EXTENSION = /^((?!string_|math_)\w+_ext|optionals|macros2)\//;
const PROTO =
  /TestAllTypes|GlobalEnum|NestedEnum|google\.protobuf\.(?!Timestamp|Duration)|proto\.(get|has)Ext/;

function read(path: string, original: Original): ConformanceCase {
  const {
    expr,
    name,
    container,
    disableMacros,
    checkOnly,
    typeEnv,
    bindings,
    value,
    evalError,
    anyEvalErrors,
    typedResult,
    unknown,
    anyUnknowns,
  } = original;
  const base = {
    id: `${path}/${String(name)}`,
    expr,
    bindings: new Map<string, CelInput>(),
    expected: { value: true },
  };
  const skip = (reason: string): ConformanceCase => ({ ...base, skip: reason });
  if (EXTENSION.test(path)) return skip('extensions of the standard');
  if (PROTO.test(JSON.stringify([expr, container, typeEnv, bindings, value, typedResult])))
    return skip('protobuf messages');
  if (container !== undefined) return skip('namespaces');
  if (disableMacros === true) return skip('macros switched off');
  if (checkOnly === true) return skip('type checking alone');
  if (unknown !== undefined || anyUnknowns !== undefined) return skip('unknown values');
  if (JSON.stringify(typeEnv ?? []).includes('"function"')) return skip("functions of the test's own");
  try {
    const bound = Object.entries((bindings ?? {}) as Readonly<Record<string, Json>>).flatMap(
      ([key, given]): [string, CelInput][] =>
        given['value'] === undefined ? [] : [[key, valueOf(given['value'] as Json)]],
    ); // cel.expr.ExprValue; errors and unknowns stay unbound
    const result = value ?? (typedResult as Json | undefined)?.['result'];
    const fails = evalError !== undefined || anyEvalErrors !== undefined;
    return {
      ...base,
      bindings: new Map(bound),
      expected: fails ? null : { value: result === undefined ? true : valueOf(result as Json) },
    };
  } catch (fault) {
    if (fault instanceof NotPlain) return skip(fault.message);
    throw fault;
  }
}

function walk(suite: SerializedIncrementalTestSuite, path: readonly string[]): readonly ConformanceCase[] {
  return [
    ...(suite.suites ?? []).flatMap((inner) => walk(inner, [...path, inner.name])),
    ...(suite.tests ?? []).map(({ original }) => read(path.join('/'), original)),
  ];
}

export const conformanceCases: readonly ConformanceCase[] = walk(tests, []);
