// test/router/bench-scratch.ts
import { createServer } from "node:http";

// router/execution/supergraph.ts
import { Kind as Kind7, parse as parse3 } from "graphql";
import { LRUCache as LRUCache2 } from "lru-cache";

// platform/errors.ts
var STATUS_BY_CODE = {
  invalid_request: 400,
  missing_token: 401,
  invalid_token: 401,
  expired_token: 401,
  revoked_token: 401,
  insufficient_role: 403,
  project_scope_denied: 403,
  signature_invalid: 403,
  not_found: 404,
  route_not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  rate_limit_exceeded: 429,
  internal_error: 500,
  component_unavailable: 503,
  runner_unavailable: 503,
  upstream_timeout: 504
};
var isErrorCode = (code) => typeof code === "string" && Object.hasOwn(STATUS_BY_CODE, code);
var graphqlCode = (code) => code.toUpperCase();
function errorCodeOf(code) {
  const lower = typeof code === "string" ? code.toLowerCase() : void 0;
  return isErrorCode(lower) ? lower : void 0;
}
var DomainError = class extends Error {
  name = "DomainError";
  code;
  details;
  constructor(code, message, details = {}, options) {
    super(message, options);
    this.code = code;
    this.details = details;
  }
  get status() {
    return STATUS_BY_CODE[this.code];
  }
  /** graphql-js copies `extensions` off a thrown error, so services need not know GraphQL. */
  get extensions() {
    const code = graphqlCode(this.code);
    return Object.keys(this.details).length > 0 ? { code, details: this.details } : { code };
  }
};
var invalid = (message, details) => new DomainError("validation_failed", message, details);
var badRequest = (message, details) => new DomainError("invalid_request", message, details);
var masked = (thrown) => thrown instanceof DomainError ? thrown : new DomainError("internal_error", "internal error", {}, { cause: thrown });

// router/execution/document-limits.ts
import {
  GraphQLError,
  Kind,
  parse
} from "graphql";

// router/execution/invalid-document.ts
var InvalidDocument = class extends DomainError {
  name = "InvalidDocument";
  faults;
  constructor(errors) {
    super("invalid_request", errors[0]?.message ?? "the document is not valid");
    this.faults = errors.map(({ message, locations }) => ({
      message,
      ...locations === void 0 ? {} : { locations },
      extensions: { code: graphqlCode("invalid_request") }
    }));
  }
};

// router/execution/document-limits.ts
var DEFAULT_LIMITS = { tokens: 5e3, depth: 20, rootFields: 20, aliases: 100, directives: 100, fields: 600 };
var Measure = class {
  #fragments;
  #known = /* @__PURE__ */ new Map();
  constructor(document) {
    this.#fragments = new Map(document.definitions.flatMap((d) => d.kind === Kind.FRAGMENT_DEFINITION ? [[d.name.value, d]] : []));
  }
  #spread(name) {
    const known = this.#known.get(name);
    if (known) return known;
    const fragment = this.#fragments.get(name);
    if (!fragment) return { fields: 0, depth: 0, roots: 0 };
    this.#known.set(name, { fields: Infinity, depth: Infinity, roots: Infinity });
    const size = this.of(fragment.selectionSet);
    this.#known.set(name, size);
    return size;
  }
  of(set) {
    let [fields, depth, roots] = [0, 0, 0];
    for (const node of set.selections) {
      if (node.kind === Kind.FIELD) {
        const inside = node.selectionSet ? this.of(node.selectionSet) : { fields: 0, depth: 0 };
        fields += 1 + inside.fields;
        depth = Math.max(depth, 1 + inside.depth);
        roots += 1;
      } else {
        const inside = node.kind === Kind.INLINE_FRAGMENT ? this.of(node.selectionSet) : this.#spread(node.name.value);
        fields += inside.fields;
        depth = Math.max(depth, inside.depth);
        roots += inside.roots;
      }
    }
    return { fields, depth, roots };
  }
};
function assertName(name) {
  if (name.startsWith("__")) refuse(`the name "${name}" is reserved: only introspection begins with two underscores`);
}
function countIn(set, counts) {
  for (const node of set.selections) {
    counts.directives += node.directives?.length ?? 0;
    if (node.kind === Kind.FIELD && node.alias) {
      counts.aliases++;
      assertName(node.alias.value);
    }
    if (node.kind !== Kind.FRAGMENT_SPREAD && node.selectionSet) countIn(node.selectionSet, counts);
  }
}
function refuse(message) {
  throw new InvalidDocument([new GraphQLError(message)]);
}
var assertAtMost = (what, found, most) => {
  if (found > most) refuse(`the document has too many ${what}: at most ${most} are allowed`);
};
var assertNames = (operation) => {
  if (operation.name) assertName(operation.name.value);
  for (const { variable } of operation.variableDefinitions ?? []) assertName(variable.name.value);
};
function parseWithin(source, limits) {
  const document = parseTokens(source, limits.tokens);
  const counts = { aliases: 0, directives: 0 };
  const measure = new Measure(document);
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION && definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
    counts.directives += definition.directives?.length ?? 0;
    countIn(definition.selectionSet, counts);
    if (definition.kind === Kind.FRAGMENT_DEFINITION) assertName(definition.name.value);
    else assertNames(definition);
    const size = measure.of(definition.selectionSet);
    if (size.depth > limits.depth) refuse(`the document is nested too deep: at most ${limits.depth} levels are allowed`);
    if (definition.kind === Kind.OPERATION_DEFINITION) assertAtMost("root fields", size.roots, limits.rootFields);
    assertAtMost("fields", size.fields, limits.fields);
  }
  assertAtMost("aliases", counts.aliases, limits.aliases);
  assertAtMost("directives", counts.directives, limits.directives);
  return document;
}
function parseTokens(source, maxTokens) {
  try {
    return parse(source, { maxTokens });
  } catch (thrown) {
    if (thrown instanceof GraphQLError) throw new InvalidDocument([thrown]);
    throw thrown;
  }
}

// router/execution/prepare-operation.ts
import { operationFromDocument } from "@apollo/federation-internals";
import {
  getVariableValues,
  GraphQLError as GraphQLError3,
  Kind as Kind6,
  validate as validate2
} from "graphql";

// router/execution/direct.ts
import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  typeFromAST,
  validate
} from "graphql";
function onlyComponent(node) {
  if (node?.kind === "Condition") return node.ifClause && node.elseClause ? null : onlyComponent(node.ifClause ?? node.elseClause);
  if (node?.kind !== "Fetch" || node.requires || node.inputRewrites?.length || node.outputRewrites?.length) return null;
  return node.serviceName;
}
function sameInputs(name, api, own, seen) {
  if (seen.has(name)) return true;
  seen.add(name);
  const [left, right] = [api.getType(name), own.getType(name)];
  if (isEnumType(left) && isEnumType(right)) {
    return left.getValues().length === right.getValues().length && right.getValues().every((v) => left.getValue(v.name));
  }
  if (!isInputObjectType(left) || !isInputObjectType(right)) return left !== void 0 && right !== void 0;
  const [open, all] = [left.getFields(), Object.values(right.getFields())];
  return all.length === Object.keys(open).length && all.every((field) => {
    const same = open[field.name];
    return same !== void 0 && String(same.type) === String(field.type) && sameInputs(getNamedType(field.type).name, api, own, seen);
  });
}
function directComponent(plan, document, operation, composition) {
  const node = plan.node;
  if (node === void 0 || node.kind === "Subscription") return null;
  const name = onlyComponent(node);
  const own = name === null ? void 0 : composition.subgraphSchemas.get(name);
  if (name === null || own === void 0 || validate(own, document).length > 0) return null;
  const inputs = (operation.variableDefinitions ?? []).map((d) => getNamedType(typeFromAST(own, d.type)));
  return inputs.every((type) => type && sameInputs(type.name, composition.schema, own, /* @__PURE__ */ new Set())) ? name : null;
}

// router/execution/introspection.ts
import {
  execute,
  Kind as Kind2
} from "graphql";
var isIntrospection = (name) => name === "__schema" || name === "__type";
function introspectionOf(set, fragments) {
  return set.selections.flatMap((node) => {
    if (node.kind === Kind2.FIELD) return isIntrospection(node.name.value) ? [node] : [];
    const fragment = node.kind === Kind2.INLINE_FRAGMENT ? node : fragments.get(node.name.value);
    const selections = fragment ? introspectionOf(fragment.selectionSet, fragments) : [];
    if (selections.length === 0) return [];
    const inline = {
      kind: Kind2.INLINE_FRAGMENT,
      directives: node.directives ?? [],
      selectionSet: { kind: Kind2.SELECTION_SET, selections }
    };
    return [inline];
  });
}
function compileIntrospection(schema, document, operation) {
  const fragments = new Map(document.definitions.flatMap((d) => d.kind === Kind2.FRAGMENT_DEFINITION ? [[d.name.value, d]] : []));
  const selections = introspectionOf(operation.selectionSet, fragments);
  if (selections.length === 0) return null;
  const only = {
    kind: Kind2.DOCUMENT,
    definitions: [{ ...operation, selectionSet: { kind: Kind2.SELECTION_SET, selections } }, ...fragments.values()]
  };
  const answer2 = async (variableValues) => {
    const result = await execute({ schema, document: only, variableValues });
    if (result.errors?.[0]) throw result.errors[0];
    return result.data ?? {};
  };
  if ((operation.variableDefinitions?.length ?? 0) > 0) return answer2;
  let once2;
  return () => once2 ??= answer2({});
}

// router/execution/merge.ts
var isData = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
function mergeInto(target, source) {
  for (const key in source) {
    const known = Object.hasOwn(target, key) ? target[key] : void 0;
    const brought = source[key];
    if (isData(known) && isData(brought)) mergeInto(known, brought);
    else if (Array.isArray(known) && Array.isArray(brought) && known.length === brought.length) mergeLists(known, brought);
    else if (brought !== void 0) assign(target, key, brought);
  }
}
function assign(target, key, value) {
  if (key === "__proto__") Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
}
function mergeLists(target, source) {
  for (const [i, brought] of source.entries()) {
    const known = target[i];
    if (isData(known) && isData(brought)) mergeInto(known, brought);
    else if (Array.isArray(known) && Array.isArray(brought) && known.length === brought.length) mergeLists(known, brought);
    else target[i] = brought;
  }
}

// router/execution/named-projects.ts
import { valueFromASTUntyped } from "graphql";
var CARRIERS = /* @__PURE__ */ new Set(["project", "data", "input", "inputs", "entity", "entities", "items", "item", "criteria"]);
var NONE = [];
function projectsOf(value, found, depth) {
  if (Array.isArray(value)) {
    for (const item of value) projectsOf(item, found, depth);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  const { project, data } = value;
  if (typeof project === "string") found.add(project);
  if (depth > 0) projectsOf(data, found, depth - 1);
}
function compileNamedProjects(fields) {
  const carriers = fields.flatMap(({ node }) => (node.arguments ?? []).filter((a) => CARRIERS.has(a.name.value)));
  if (carriers.length === 0) return () => NONE;
  return (variables) => {
    const found = /* @__PURE__ */ new Set();
    for (const { name, value: node } of carriers) {
      const value = valueFromASTUntyped(node, variables);
      if (name.value === "project" && typeof value === "string") found.add(value);
      projectsOf(value, found, 1);
    }
    return [...found];
  };
}

// router/execution/representations.ts
import { isObjectType } from "graphql";

// router/execution/unsupported-plan.ts
var UnsupportedPlan = class extends Error {
  name = "UnsupportedPlan";
};

// router/execution/representations.ts
function fieldsOf(selections) {
  return selections.map((s2) => {
    if (s2.kind !== "Field" || s2.alias !== void 0) throw new UnsupportedPlan("a required field with alias or type condition");
    return { name: s2.name, nested: s2.selections === void 0 ? null : fieldsOf(s2.selections) };
  });
}
function copy(from, fields) {
  const to = {};
  for (const { name, nested } of fields) {
    const value = from[name];
    if (value === void 0) return null;
    const part = nested === null ? value : copyNested(value, nested);
    if (part === void 0) return null;
    to[name] = part;
  }
  return to;
}
function copyNested(value, fields) {
  if (Array.isArray(value)) {
    const items = value.map((item) => copyNested(item, fields));
    return items.includes(void 0) ? void 0 : items;
  }
  return isData(value) ? copy(value, fields) ?? void 0 : value;
}
function compileRepresentations(requires, schema) {
  const byType = /* @__PURE__ */ new Map();
  for (const part of requires) {
    if (part.kind !== "InlineFragment" || part.typeCondition === void 0) throw new UnsupportedPlan("a requirement without type");
    const type = schema.getType(part.typeCondition);
    if (!isObjectType(type)) throw new UnsupportedPlan("a requirement on an abstract type");
    byType.set(type.name, [...byType.get(type.name) ?? [], ...fieldsOf(part.selections)]);
  }
  return (entity) => {
    const fields = byType.get(entity["__typename"]);
    return fields === void 0 ? null : copy(entity, fields);
  };
}

// router/execution/results.ts
function plainData(result) {
  if (result.texts === void 0) return result.data;
  const data = {};
  for (const key in result.texts) data[key] = JSON.parse(result.texts[key] ?? "null");
  return data;
}
function addExtensions(to, from) {
  if (from === void 0) return;
  if (from.schemaVersion !== void 0) to.schemaVersion ??= from.schemaVersion;
  if (from.entityVersion !== void 0) to.entityVersion ??= from.entityVersion;
  if (from.warnings !== void 0 && from.warnings.length > 0) to.warnings = [...to.warnings ?? [], ...from.warnings];
}

// router/execution/plan-executor.ts
function compilePlan(plan, schema, bind) {
  if (plan.node === void 0) return () => Promise.resolve();
  if (plan.node.kind === "Subscription") throw new UnsupportedPlan("a subscription");
  const step = compileNode(plan.node, [], schema, bind);
  return (run2) => step(run2, [run2.data]);
}
function compileNode(node, path3, schema, bind) {
  switch (node.kind) {
    case "Sequence": {
      const steps = node.nodes.map((n) => compileNode(n, path3, schema, bind));
      return async (run2, targets) => {
        for (const step of steps) await step(run2, targets);
      };
    }
    case "Parallel": {
      const steps = node.nodes.map((n) => compileNode(n, path3, schema, bind));
      return async (run2, targets) => {
        await Promise.all(steps.map((step) => step(run2, targets)));
      };
    }
    case "Condition": {
      const met = node.ifClause && compileNode(node.ifClause, path3, schema, bind);
      const unmet = node.elseClause && compileNode(node.elseClause, path3, schema, bind);
      return (run2, targets) => (run2.variables[node.condition] === true ? met : unmet)?.(run2, targets) ?? Promise.resolve();
    }
    case "Flatten": {
      if (node.path.some((part) => String(part).includes("|"))) throw new UnsupportedPlan("a path with a type condition");
      const step = compileNode(node.node, [...path3, ...node.path], schema, bind);
      return (run2, targets) => {
        const found = descend(targets, node.path);
        return found.length === 0 ? Promise.resolve() : step(run2, found);
      };
    }
    case "Fetch":
      return compileFetch(node, path3, schema, bind);
    case "Defer":
      throw new UnsupportedPlan("@defer");
    default:
      return node;
  }
}
function descend(targets, path3) {
  let found = targets;
  for (const part of path3) {
    const next = [];
    for (const value of found) {
      const inside = part === "@" ? value : isData(value) ? value[part] : null;
      if (part !== "@") {
        if (inside !== null && inside !== void 0) next.push(inside);
      } else if (Array.isArray(inside)) {
        for (const item of inside) if (item !== null && item !== void 0) next.push(item);
      }
    }
    found = next;
  }
  return found.filter(isData);
}
function placesOf(data, path3, place = []) {
  const [part, ...rest] = path3;
  if (data === null || data === void 0) return [];
  if (part === void 0) return isData(data) ? [place] : [];
  if (part !== "@") return isData(data) ? placesOf(data[part], rest, [...place, part]) : [];
  return Array.isArray(data) ? data.flatMap((item, i) => placesOf(item, rest, [...place, i])) : [];
}
function variablesOf(node, run2) {
  const variables = {};
  for (const name of node.variableUsages ?? []) if (run2.variables[name] !== void 0) variables[name] = run2.variables[name];
  return variables;
}
function report(run2, result, place) {
  for (const { path: path3, ...error } of result.errors ?? []) {
    const placed = place(path3);
    run2.errors.push(placed === void 0 ? error : { ...error, path: placed });
  }
  addExtensions(run2.extensions, result.extensions);
}
function compileFetch(node, path3, schema, bind) {
  if (node.inputRewrites?.length || node.outputRewrites?.length || node.contextRewrites?.length) throw new UnsupportedPlan("rewrites");
  if (!node.requires && path3.length > 0) throw new UnsupportedPlan("a fetch of root fields below the root");
  const fetch = bind(node.serviceName, node.operation, node.operationName);
  return node.requires ? fetchEntities(node, fetch, path3, compileRepresentations(node.requires, schema)) : fetchRoot(node, fetch);
}
var fetchRoot = (node, fetch) => async (run2) => {
  const result = await fetch(variablesOf(node, run2), run2.caller);
  if (result.errors !== void 0 || result.extensions !== void 0) report(run2, result, (path3) => path3);
  const data = plainData(result);
  if (isData(data)) mergeInto(run2.data, data);
};
var fetchEntities = (node, fetch, path3, represent) => async (run2, targets) => {
  const representations = [];
  const asked = [];
  for (const [i, target] of targets.entries()) {
    const representation = represent(target);
    if (representation === null) continue;
    representations.push(representation);
    asked.push(i);
  }
  if (representations.length === 0) return;
  const variables = variablesOf(node, run2);
  variables["representations"] = representations;
  const result = await fetch(variables, run2.caller);
  const entities = plainData(result)?.["_entities"];
  for (const [i, target] of asked.entries()) {
    const brought = Array.isArray(entities) ? entities[i] : null;
    const into = targets[target];
    if (isData(brought) && into) mergeInto(into, brought);
  }
  let places;
  report(run2, result, (inner) => {
    const index = inner?.[1];
    if (typeof index !== "number") return path3.length === 0 ? void 0 : path3.slice(0, path3.indexOf("@") >= 0 ? path3.indexOf("@") : void 0);
    places ??= placesOf(run2.data, path3);
    return [...places[asked[index] ?? -1] ?? [], ...inner?.slice(2) ?? []];
  });
};

// router/execution/root-fields.ts
import { Kind as Kind3 } from "graphql";
var ROOTS = { query: "Query", mutation: "Mutation", subscription: "Subscription" };
function rootFields(document, operation) {
  const fragments = /* @__PURE__ */ new Map();
  for (const d of document.definitions) if (d.kind === Kind3.FRAGMENT_DEFINITION) fragments.set(d.name.value, d);
  const seen = /* @__PURE__ */ new Set();
  const found = [];
  const walk = (set) => {
    for (const node of set.selections) {
      if (node.kind === Kind3.FIELD) {
        if (!node.name.value.startsWith("__")) found.push({ coordinate: `${ROOTS[operation.operation]}.${node.name.value}`, node });
      } else if (node.kind === Kind3.INLINE_FRAGMENT) walk(node.selectionSet);
      else if (!seen.has(node.name.value)) {
        seen.add(node.name.value);
        const fragment = fragments.get(node.name.value);
        if (fragment) walk(fragment.selectionSet);
      }
    }
  };
  walk(operation.selectionSet);
  return found;
}

// router/execution/shape.ts
import {
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType as isObjectType2,
  Kind as Kind5
} from "graphql";

// router/execution/conditions.ts
import { Kind as Kind4, visit } from "graphql";
var conditionOf = (directive, values) => {
  const value = directive.arguments?.find((a) => a.name.value === "if")?.value;
  return value?.kind === Kind4.VARIABLE ? values[value.name.value] === true : value?.kind === Kind4.BOOLEAN && value.value;
};
var isIncluded = (selection, values) => selection.directives?.every(({ name, ...rest }) => {
  if (name.value === "skip") return !conditionOf({ name, ...rest }, values);
  return name.value !== "include" || conditionOf({ name, ...rest }, values);
}) ?? true;
function conditionVariables(document) {
  const names = /* @__PURE__ */ new Set();
  visit(document, {
    Directive(directive) {
      if (directive.name.value !== "skip" && directive.name.value !== "include") return;
      for (const { value } of directive.arguments ?? []) if (value.kind === Kind4.VARIABLE) names.add(value.name.value);
    }
  });
  return [...names];
}

// router/execution/shape.ts
var KEPT_SHAPES = 64;
function compileShape(schema, document, operation) {
  const root = schema.getRootType(operation.operation);
  if (!root) throw new Error(`the schema has no ${operation.operation}`);
  const names = conditionVariables(document);
  const kept = /* @__PURE__ */ new Map();
  const shapeFor = (variables) => {
    const key = names.length === 0 ? "" : names.map((name) => variables[name] === true ? "1" : "0").join("");
    const known = kept.get(key);
    if (known) return known;
    const made = new ShapeCompiler(schema, document, variables).object([operation.selectionSet], root);
    if (kept.size < KEPT_SHAPES) kept.set(key, made);
    return made;
  };
  return (data, variables) => {
    const trace = { path: [] };
    const shaped = shapeFor(variables)(data, trace);
    return { data: isData(shaped) ? shaped : null, ...trace.broken === void 0 ? {} : { broken: trace.broken } };
  };
}
var ShapeCompiler = class {
  #schema;
  #fragments;
  #variables;
  constructor(schema, document, variables) {
    this.#schema = schema;
    this.#variables = variables;
    this.#fragments = new Map(document.definitions.flatMap((d) => d.kind === Kind5.FRAGMENT_DEFINITION ? [[d.name.value, d]] : []));
  }
  /** Fields in the order of first appearance, each with all its selection sets. */
  #collect(set, type, found) {
    for (const node of set.selections) {
      if (!isIncluded(node, this.#variables)) continue;
      if (node.kind === Kind5.FIELD) {
        const key = node.alias?.value ?? node.name.value;
        const field = found.get(key) ?? { name: node.name.value, sets: [] };
        if (node.selectionSet) field.sets.push(node.selectionSet);
        found.set(key, field);
        continue;
      }
      const fragment = node.kind === Kind5.INLINE_FRAGMENT ? node : this.#fragments.get(node.name.value);
      if (fragment && this.#applies(fragment.typeCondition?.name.value, type)) this.#collect(fragment.selectionSet, type, found);
    }
  }
  #applies(condition, type) {
    if (condition === void 0 || condition === type.name) return true;
    const wanted = this.#schema.getType(condition);
    return isAbstractType(wanted) && this.#schema.isSubType(wanted, type);
  }
  object(sets, type) {
    const found = /* @__PURE__ */ new Map();
    for (const set of sets) this.#collect(set, type, found);
    const fields = [...found].map(([key, { name, sets: nested }]) => this.#field(key, name, nested, type));
    return (value, trace) => {
      if (!isData(value)) return null;
      const shaped = {};
      for (const field of fields) {
        if (field.constant !== null) {
          shaped[field.key] = field.constant;
          continue;
        }
        trace.path.push(field.key);
        const completed = field.complete(value[field.key], trace) ?? null;
        if (completed === null && field.nonNull) {
          trace.broken ??= [...trace.path];
          trace.path.pop();
          return null;
        }
        trace.path.pop();
        shaped[field.key] = completed;
      }
      return shaped;
    };
  }
  #field(key, name, sets, parent) {
    if (name === "__typename") return { key, constant: parent.name, complete: passOn, nonNull: true };
    if (name === "__schema" || name === "__type") return { key, constant: null, complete: passOn, nonNull: false };
    const type = parent.getFields()[name]?.type;
    if (!type) throw new Error(`${parent.name}.${name} is not in the schema`);
    return { key, constant: null, complete: this.#complete(type, sets), nonNull: isNonNullType(type) };
  }
  #complete(given, sets) {
    const type = isNonNullType(given) ? given.ofType : given;
    if (isListType(type)) return this.#list(type.ofType, sets);
    if (isObjectType2(type)) return this.object(sets, type);
    if (isLeafType(type)) return passOn;
    return this.#abstract(sets);
  }
  #list(itemType, sets) {
    const item = this.#complete(itemType, sets);
    if (item === passOn) return passOn;
    const nonNull = isNonNullType(itemType);
    return (value, trace) => {
      if (!Array.isArray(value)) return null;
      const items = new Array(value.length);
      for (let i = 0; i < value.length; i++) {
        trace.path.push(i);
        const completed = item(value[i], trace) ?? null;
        if (completed === null && nonNull) trace.broken ??= [...trace.path];
        trace.path.pop();
        if (completed === null && nonNull) return null;
        items[i] = completed;
      }
      return items;
    };
  }
  /** By the `__typename` that the planner always asks for where the type is abstract. */
  #abstract(sets) {
    const byName = /* @__PURE__ */ new Map();
    return (value, trace) => {
      if (!isData(value)) return null;
      const name = value["__typename"];
      let complete = byName.get(name);
      if (!complete) {
        const type = typeof name === "string" ? this.#schema.getType(name) : void 0;
        if (!isObjectType2(type)) return null;
        byName.set(name, complete = this.object(sets, type));
      }
      return complete(value, trace);
    };
  }
};
var passOn = (value) => value ?? null;

// router/execution/stock-gateway.ts
import { createHash } from "node:crypto";
import { ApolloGateway } from "@apollo/gateway";
import { GraphQLError as GraphQLError2 } from "graphql";
import { LRUCache } from "lru-cache";
var CACHED_FETCHES = 500;
var ComponentSource = class {
  #component;
  #prepared = new LRUCache({ max: CACHED_FETCHES });
  constructor(component2) {
    this.#component = component2;
  }
  async process({ request, context }) {
    const source = request.query ?? "";
    const prepared = this.#prepared.get(source) ?? this.#component.prepare(source, request.operationName);
    this.#prepared.set(source, prepared);
    const result = await prepared(request.variables ?? {}, context["caller"]);
    const errors = result.errors?.map(({ message, path: path3, extensions }) => new GraphQLError2(message, { path: path3 ?? null, extensions: extensions ?? {} }));
    return { data: plainData(result) ?? null, ...errors === void 0 ? {} : { errors } };
  }
};
var quiet = { debug: () => void 0, info: () => void 0 };
function createStockGateway(composition, components, log2) {
  const gateway = new ApolloGateway({
    supergraphSdl: composition.supergraphSdl,
    logger: { ...quiet, warn: (message) => log2.warn(message), error: (message) => log2.error(message) },
    buildService: ({ name }) => {
      const component2 = components.get(name);
      if (!component2) throw new Error(`no component ${name}`);
      return new ComponentSource(component2);
    }
  });
  let loading;
  const bind = (source, document, operation) => {
    const operationName = operation.name?.value;
    const queryHash = createHash("sha256").update(source).digest("hex");
    return async (variables, caller2) => {
      await (loading ??= gateway.load());
      const result = await gateway.executor({
        request: { query: source, variables: { ...variables }, ...operationName === void 0 ? {} : { operationName } },
        source,
        document,
        operation,
        queryHash,
        operationName: operationName ?? null,
        context: { caller: caller2 },
        schema: composition.schema,
        logger: log2,
        metrics: {}
      });
      const errors = [...result.errors ?? [], ...completionErrors(result.extensions)].map((e2) => presentable(e2, log2, caller2));
      return { data: result.data ?? null, ...errors.length === 0 ? {} : { errors } };
    };
  };
  return { bind };
}
function completionErrors(extensions) {
  const errors = extensions?.["valueCompletion"];
  return Array.isArray(errors) ? errors.filter((e2) => e2 instanceof GraphQLError2).map((e2) => new GraphQLError2(`not found: ${e2.path?.join(".") ?? ""}`, { path: e2.path ?? null, extensions: { code: graphqlCode("not_found") } })) : [];
}
function presentable(error, log2, caller2) {
  const place = error.path === void 0 ? {} : { path: error.path };
  const code = errorCodeOf(error.extensions["code"]);
  if (code === void 0) {
    log2.error({ err: error, requestId: caller2.requestId }, "unexpected error in the stock gateway");
    const { message, extensions } = masked(error);
    return { message, ...place, extensions };
  }
  const details = error.extensions["details"];
  return { message: error.message, ...place, extensions: new DomainError(code, error.message, details).extensions };
}

// router/execution/prepare-operation.ts
var createGround = (composition, components, permissions2, log2) => ({ composition, components, permissions: permissions2, log: log2, stock: createStockGateway(composition, components, log2) });
function operationNamed(document, name) {
  const operations = document.definitions.filter((d) => d.kind === Kind6.OPERATION_DEFINITION);
  const found = name === void 0 ? operations[0] : operations.find((o) => o.name?.value === name);
  if (found && (name !== void 0 || operations.length === 1)) return found;
  const message = name !== void 0 ? `the document has no operation named "${name}"` : found ? "the document has several operations: operationName has to say which" : "the document has no operation";
  throw new InvalidDocument([new GraphQLError3(message)]);
}
function assertValid(document, schema, hideSuggestions) {
  const faults = validate2(schema, document, void 0, { hideSuggestions });
  if (faults.length > 0) throw new InvalidDocument(faults);
}
function permissionsOf(fields, table) {
  return [...new Set(fields.map(({ coordinate }) => {
    const permission = Object.hasOwn(table, coordinate) ? table[coordinate] : void 0;
    if (permission === void 0) throw new DomainError("insufficient_role", `no role may use ${coordinate}`, { operation: coordinate });
    return permission;
  }))];
}
function prepareOperation(ground, source, operationName, document) {
  const operation = operationNamed(document, operationName);
  const fields = rootFields(document, operation);
  return {
    kind: operation.operation,
    name: operation.name?.value,
    permissions: permissionsOf(fields, ground.permissions),
    namedProjects: compileNamedProjects(fields),
    ...bindRun(ground, source, operationName, document, operation)
  };
}
function bindRun(ground, source, operationName, document, operation) {
  const { composition, components } = ground;
  if (operation.operation === "subscription") throw new InvalidDocument([new GraphQLError3("subscriptions are not answered over this transport")]);
  const planned = operationFromDocument(composition.apiSchema, document, { validate: false, ...operationName === void 0 ? {} : { operationName } });
  const plan = composition.planner.buildQueryPlan(planned);
  const introspect = compileIntrospection(composition.schema, document, operation);
  const direct = introspect === null ? components.get(directComponent(plan, document, operation, composition) ?? "") : void 0;
  if (direct) return { way: "direct", introspects: false, run: direct.prepare(source, operationName) };
  try {
    const execute3 = compilePlan(plan, composition.schema, (name, text, fetchName) => {
      const component2 = components.get(name);
      if (!component2) throw new Error(`no component ${name}`);
      return component2.prepare(text, fetchName);
    });
    const shape = compileShape(composition.schema, document, operation);
    return {
      way: "plan",
      introspects: introspect !== null,
      async run(inputs, caller2) {
        const { coerced, errors: refused } = getVariableValues(composition.schema, operation.variableDefinitions ?? [], inputs);
        if (refused) return { errors: refused.map(({ message }) => ({ message, extensions: { code: graphqlCode("invalid_request") } })) };
        const run2 = { variables: coerced, caller: caller2, data: {}, errors: [], extensions: {} };
        await execute3(run2);
        if (introspect) mergeInto(run2.data, await introspect(coerced));
        const { data, broken } = shape(run2.data, coerced);
        if (broken && run2.errors.length === 0) run2.errors.push(notFoundAt(broken));
        return answer(data, run2.errors, run2.extensions);
      }
    };
  } catch (thrown) {
    if (!(thrown instanceof UnsupportedPlan)) throw thrown;
    return { way: "stock", introspects: introspect !== null, run: ground.stock.bind(source, document, operation) };
  }
}
var answer = (data, errors, extensions) => ({
  data: data ?? null,
  ...errors.length === 0 ? {} : { errors },
  extensions
});
function notFoundAt(path3) {
  const { message, extensions } = new DomainError("not_found", `not found: ${path3.join(".")}`);
  return { message, path: path3, extensions };
}

// router/execution/compose.ts
import { composeServices } from "@apollo/composition";
import { Supergraph as FederationSupergraph } from "@apollo/federation-internals";
import { QueryPlanner } from "@apollo/query-planner";
import { buildSubgraphSchema } from "@apollo/subgraph";
import { parse as parse2 } from "graphql";
var MOST_PLANS = 1e3;
function compose(sdls) {
  const parsed = [...sdls].map(([name, sdl]) => ({ name, typeDefs: parse2(sdl) }));
  const composed = composeServices(parsed);
  if (composed.errors !== void 0) throw new Error(composed.errors.map((e2) => e2.message).join("\n"));
  const supergraph = FederationSupergraph.build(composed.supergraphSdl);
  const apiSchema = supergraph.apiSchema();
  return {
    sdls,
    supergraphSdl: composed.supergraphSdl,
    schema: apiSchema.toGraphQLJSSchema(),
    apiSchema,
    planner: new QueryPlanner(supergraph, { debug: { maxEvaluatedPlans: MOST_PLANS } }),
    subgraphSchemas: new Map(parsed.map(({ name, typeDefs }) => [name, buildSubgraphSchema({ typeDefs })]))
  };
}

// router/execution/settle.ts
function settle(candidates, log2) {
  const known = candidates.filter((c) => c.sdls.length > 0);
  const missing = candidates.filter((c) => c.sdls.length === 0).map((c) => c.name);
  const all = new Map(known.flatMap(({ name, sdls: [best] }) => best === void 0 ? [] : [[name, best]]));
  try {
    return { composition: compose(all), missing };
  } catch (fault) {
    if (known.every((c) => c.required)) throw fault;
    log2.error({ err: fault }, "the subgraphs do not compose: looking for a set that does");
  }
  const required = new Map([...all].filter(([name]) => known.some((c) => c.name === name && c.required)));
  return addOneByOne(required, known.filter((c) => !c.required), missing, log2);
}
function addOneByOne(start, waiting, missing, log2) {
  let composition = start.size > 0 ? compose(start) : void 0;
  let left = waiting;
  for (let progress = true; progress; ) {
    progress = false;
    for (const candidate of left) {
      const better = candidate.sdls.map((sdl) => tryCompose(new Map([...composition?.sdls ?? [], [candidate.name, sdl]]), candidate.name, log2)).find((c) => c);
      if (!better) continue;
      composition = better;
      left = left.filter((c) => c !== candidate);
      progress = true;
    }
  }
  if (!composition) throw new Error("no subgraph composes");
  return { composition, missing: [...missing, ...left.map((c) => c.name)] };
}
function tryCompose(sdls, name, log2) {
  try {
    return compose(sdls);
  } catch (fault) {
    log2.error({ err: fault, component: name }, "this SDL does not compose with the others");
    return void 0;
  }
}

// router/execution/supergraph.ts
var CACHED_DOCUMENTS = 1e3;
var CACHED_CHARACTERS = 4e6;
async function createSupergraph(options) {
  const { permissions: permissions2, log: log2, memory, pollMs = 5e3, limits = DEFAULT_LIMITS, hideSuggestions = false } = options;
  const components = new Map(options.components.map((c) => [c.name, c]));
  const listeners = /* @__PURE__ */ new Set();
  const fresh = async (component2) => {
    try {
      return await component2.sdl();
    } catch (fault) {
      if (component2.url === void 0) throw fault;
      log2.warn({ component: component2.name, reason: masked(fault).message }, "the component does not tell its SDL");
      return void 0;
    }
  };
  const candidate = async (component2) => {
    const sdls = [await fresh(component2), version?.composition.sdls.get(component2.name), await memory?.recall(component2.name)];
    return { name: component2.name, required: component2.url === void 0, sdls: [...new Set(sdls.filter((s2) => s2 !== void 0))] };
  };
  let version;
  const look = async () => {
    const candidates = await Promise.all([...components.values()].map(candidate));
    const unchanged = version && candidates.every((c) => c.sdls[0] === version?.composition.sdls.get(c.name));
    if (version && unchanged) return version;
    const { composition, missing } = settle(candidates, log2);
    if (missing.length > 0) log2.warn({ missing }, "components are left out of the schema until they come");
    for (const [name, sdl] of composition.sdls) if (components.get(name)?.url !== void 0) await memory?.keep(name, sdl);
    return {
      ...createGround(composition, components, permissions2, log2),
      missing,
      state: { schema: composition.schema, supergraphSdl: composition.supergraphSdl },
      documents: new LRUCache2({ max: CACHED_DOCUMENTS, maxSize: CACHED_CHARACTERS, sizeCalculation: (_, source) => source.length + 1 })
    };
  };
  let current = await look();
  version = current;
  let looking;
  const refreshOnce = async () => {
    try {
      const found = await look();
      if (found === current) return;
      version = current = found;
      log2.info({ components: [...found.composition.sdls.keys()] }, "the supergraph has changed");
      for (const listener of listeners) listener(current.state);
    } catch (fault) {
      log2.error({ err: fault }, "the supergraph could not be renewed: the old one stays");
    }
  };
  const refresh = () => looking ??= refreshOnce().finally(() => {
    looking = void 0;
  });
  const fromDocument = (ground, source, document, operationName) => {
    try {
      assertValid(document, ground.state.schema, hideSuggestions);
      return prepareOperation(ground, source, operationName, document);
    } catch (fault) {
      throw fault instanceof InvalidDocument && ground.missing.length > 0 ? unavailable(ground, document, operationName) ?? fault : fault;
    }
  };
  const stops = [...components.values()].flatMap((c) => c.onChange?.(() => void refresh()) ?? []);
  const timer = pollMs > 0 && [...components.values()].some((c) => c.url !== void 0) ? setInterval(() => void refresh(), pollMs).unref() : void 0;
  return {
    get state() {
      return current.state;
    },
    get missing() {
      return current.missing;
    },
    prepare(source, operationName) {
      const { documents } = current;
      let operations = documents.get(source);
      const known = operations?.get(operationName ?? "");
      if (known) return known;
      const made = fromDocument(current, source, parseWithin(source, limits), operationName);
      if (!operations) documents.set(source, operations = /* @__PURE__ */ new Map());
      operations.set(operationName ?? "", made);
      return made;
    },
    bind(source, operationName) {
      const document = parse3(source);
      let ground = current;
      let operation = current.missing.length > 0 ? void 0 : fromDocument(current, source, document, operationName);
      return (variables, caller2) => {
        try {
          if (operation === void 0 || ground !== current) {
            operation = fromDocument(current, source, document, operationName);
            ground = current;
          }
        } catch (fault) {
          const known = fault instanceof InvalidDocument ? masked(fault.message) : masked(fault);
          if (known.code === "internal_error") log2.error({ err: fault, requestId: caller2.requestId }, "a trusted document no longer fits the supergraph");
          return Promise.resolve({ data: null, errors: [{ message: known.message, extensions: known.extensions }] });
        }
        return operation.run(variables, caller2);
      };
    },
    refresh,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close() {
      clearInterval(timer);
      for (const stop of stops) stop();
    }
  };
}
function unavailable(ground, document, operationName) {
  const absent = document.definitions.some((d) => d.kind === Kind7.OPERATION_DEFINITION && (operationName ?? d.name?.value) === d.name?.value && rootFields(document, d).some(({ coordinate, node }) => Object.hasOwn(ground.permissions, coordinate) && ground.state.schema.getRootType(d.operation)?.getFields()[node.name.value] === void 0));
  if (!absent) return void 0;
  const component2 = ground.missing.join(", ");
  return new DomainError("component_unavailable", `${component2} cannot be reached`, { component: component2, upstream_status: null });
}

// platform/identity.ts
var isMember = (identity, project) => identity.projects === "*" || identity.projects.includes(project);

// platform/permissions.ts
var PERMISSIONS = {
  "metadata:read": { minimum: "viewer", service: true, operation: "read metadata" },
  "provenance:read": { minimum: "viewer", service: true, operation: "read provenance" },
  "metadata:write": { minimum: "analyst", service: true, operation: "write metadata" },
  "metadata:retire": { minimum: "project_lead", service: true, operation: "delete, supersede or change the availability of entities" },
  "validation:bypass": { minimum: "admin", service: true, operation: "bypass validation" },
  "schema:write": { minimum: "admin", service: false, operation: "create or change a schema" },
  "reference-data:install": { minimum: "admin", service: true, operation: "install reference data" },
  "workflow:read": { minimum: "viewer", service: true, operation: "read triggers and runs" },
  "workflow:run": { minimum: "analyst", service: true, operation: "run a trigger or submit a run" },
  "artifact:read": { minimum: "viewer", service: true, operation: "read rules and resolve artifacts" },
  "artifact:produce": { minimum: "analyst", service: true, operation: "produce an artifact" },
  "rule:write:own": { minimum: "viewer", service: true, operation: "register or deprecate a rule of one's own" },
  "rule:write:global": { minimum: "analyst", service: true, operation: "register or deprecate a global rule" },
  "artifact:evict": { minimum: "admin", service: false, operation: "evict from the artifact cache" },
  "api-keys:own": { minimum: "analyst", service: false, operation: "manage one's own API keys" },
  "api-keys:all": { minimum: "admin", service: false, operation: "manage other users' API keys" },
  "sync:manage": { minimum: "admin", service: false, operation: "read and resolve sync events and start scans" },
  "metrics:read": { minimum: "admin", service: false, operation: "read metrics" },
  /** Any authenticated actor: the explorer, the current actor, pass-through components. */
  authenticated: { minimum: "viewer", service: true, operation: "use the platform" }
};
var RANK = { service: 0, viewer: 1, analyst: 2, project_lead: 3, admin: 4 };
function allows(identity, permission) {
  const grant = PERMISSIONS[permission];
  return identity.roles.some((role) => role === "service" ? grant.service : RANK[role] >= RANK[grant.minimum]);
}
function assertAllowed(identity, permission) {
  if (allows(identity, permission)) return;
  const { minimum, operation } = PERMISSIONS[permission];
  throw new DomainError("insufficient_role", `role ${minimum} is required to ${operation}`, { required_role: minimum, operation });
}
function assertMember(identity, project) {
  if (!isMember(identity, project)) throw new DomainError("project_scope_denied", `${identity.actor} is not a member of project ${project}`, { project });
}

// platform/result-text.ts
function textsText(texts) {
  let text = "";
  for (const key in texts) text += `${text === "" ? "" : ","}"${key}":${texts[key] ?? "null"}`;
  return `{${text}}`;
}
var isEmpty = (extensions) => {
  for (const _ in extensions) return false;
  return true;
};
function resultText({ data, texts, errors, extensions }) {
  const failed = errors === void 0 || errors.length === 0 ? "" : `"errors":${JSON.stringify(errors)}`;
  const value = texts === void 0 ? data === void 0 ? "" : `"data":${JSON.stringify(data)}` : `"data":${textsText(texts)}`;
  const beside = extensions === void 0 || isEmpty(extensions) ? "" : `,"extensions":${JSON.stringify(extensions)}`;
  return `{${failed}${failed !== "" && value !== "" ? "," : ""}${value}${beside}}`;
}
var hasRun = ({ data, texts }) => data !== void 0 || texts !== void 0;

// router/graphql/admit.ts
function admit(supergraph, introspection, { query, operationName, variables }, exchange) {
  const operation = supergraph.prepare(query, operationName);
  if (operation.name !== void 0) exchange.operationName = operation.name;
  if (operation.kind !== "query" && exchange.req.method !== "POST") throw new DomainError("method_not_allowed", "only queries are answered by GET");
  if (operation.introspects && !introspection) throw badRequest("introspection is switched off");
  const { caller: caller2 } = exchange;
  for (const permission of operation.permissions) assertAllowed(caller2, permission);
  if (caller2.projects !== "*") for (const project of operation.namedProjects(variables)) assertMember(caller2, project);
  return operation;
}

// router/graphql/answers.ts
function withRequestId(error, requestId) {
  const { message, locations, path: path3, extensions = {} } = error;
  const known = errorCodeOf(extensions["code"]) !== void 0;
  return {
    message: known ? message : "internal error",
    ...locations === void 0 ? {} : { locations },
    ...path3 === void 0 ? {} : { path: path3 },
    extensions: {
      code: known ? extensions["code"] : graphqlCode("internal_error"),
      ...known && extensions["details"] !== void 0 ? { details: extensions["details"] } : {},
      requestId
    }
  };
}
var answerText = (result, requestId) => resultText(result.errors === void 0 ? result : { ...result, errors: result.errors.map((error) => withRequestId(error, requestId)) });
function refusalText(refusal, requestId) {
  const errors = refusal instanceof InvalidDocument ? refusal.faults : [{ message: refusal.message, extensions: refusal.extensions }];
  return JSON.stringify({ errors: errors.map((error) => withRequestId(error, requestId)) });
}
var challengeOf = (status) => status === 403 ? 'Bearer realm="cairn", error="insufficient_scope"' : void 0;

// router/graphql/apollo.ts
import { ApolloServer, HeaderMap } from "@apollo/server";
import { ApolloServerPluginCacheControlDisabled, ApolloServerPluginLandingPageDisabled } from "@apollo/server/plugin/disabled";
import { GraphQLError as GraphQLError4 } from "graphql";
var Outcome = class {
  text;
  constructor(text) {
    this.text = text;
  }
};
var toGraphqlError = ({ message, path: path3, extensions }) => new GraphQLError4(message, { path: path3 ?? null, extensions: extensions ?? {} });
async function run({ operation, request, exchange }) {
  const result = await operation.run(request.variables, exchange.caller);
  if (!hasRun(result)) return { errors: (result.errors ?? []).map(toGraphqlError) };
  return { data: new Outcome(answerText(result, exchange.requestId)) };
}
var stringify = ({ data, errors }) => data instanceof Outcome ? data.text : JSON.stringify({ errors });
var gatewayOver = (supergraph) => ({
  onSchemaLoadOrUpdate(listener) {
    const tell = ({ schema, supergraphSdl }) => listener({ apiSchema: schema, coreSupergraphSdl: supergraphSdl });
    tell(supergraph.state);
    return supergraph.onChange(tell);
  },
  load: () => Promise.resolve({ executor: ({ context }) => run(context) }),
  // the context is the one given by `answer` below
  stop: () => Promise.resolve()
});
var PREFLIGHTED = ["x-apollo-operation-name", "apollo-require-preflight", "authorization", "x-api-key"];
async function createApolloEngine(supergraph, log2) {
  const server = new ApolloServer({
    gateway: gatewayOver(supergraph),
    introspection: true,
    // admitted or refused before, see admit.ts
    dangerouslyDisableValidation: true,
    // every document has been parsed within limits and validated by supergraph.prepare
    csrfPrevention: { requestHeaders: PREFLIGHTED },
    persistedQueries: false,
    allowBatchedHttpRequests: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    logger: { debug: (m) => log2.debug(m), info: (m) => log2.debug(m), warn: (m) => log2.warn(m), error: (m) => log2.error(m) },
    plugins: [ApolloServerPluginCacheControlDisabled(), ApolloServerPluginLandingPageDisabled()],
    stringifyResult: stringify,
    formatError: (formatted, error) => {
      const own = error instanceof GraphQLError4 && error.extensions["code"] === "BAD_REQUEST";
      return own ? { ...formatted, extensions: { code: graphqlCode("invalid_request") } } : formatted;
    }
  });
  await server.start();
  return {
    async answer(exchange, operation, request) {
      const { req, requestId, search } = exchange;
      const headers = new HeaderMap();
      for (const name in req.headers) {
        const value = req.headers[name];
        if (typeof value === "string") headers.set(name, value);
      }
      const { status, headers: answered, body } = await server.executeHTTPGraphQLRequest({
        httpGraphQLRequest: { method: req.method ?? "", headers, search, body: req.method === "POST" ? { ...request, operationName: request.operationName ?? null } : void 0 },
        context: () => Promise.resolve({ exchange, operation, request })
      });
      const text = body.kind === "complete" ? body.string : "";
      return { status: status ?? 200, headers: answered, body: text.startsWith('{"errors"') && !text.includes(requestId) ? named(text, requestId) : text };
    },
    close: () => server.stop()
  };
}
function named(text, requestId) {
  const { errors } = JSON.parse(text);
  return JSON.stringify({ errors: errors.map((error) => withRequestId(error, requestId)) });
}

// router/graphql/explorer/explorer.ts
import { readFile } from "node:fs/promises";
import path2 from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

// platform/project-root.ts
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
function find(from) {
  if (existsSync(path.join(from, "package.json")) && existsSync(path.join(from, "prisma"))) return from;
  const up = path.dirname(from);
  if (up === from) throw new Error("the project root (package.json beside prisma/) was not found");
  return find(up);
}
var projectRoot = find(path.dirname(fileURLToPath(import.meta.url)));

// router/graphql/explorer/explorer.ts
var OWN = "router/graphql/explorer";
var FILES = {
  "react.js": "node_modules/react/umd/react.production.min.js",
  "react-dom.js": "node_modules/react-dom/umd/react-dom.production.min.js",
  "graphiql.js": "node_modules/graphiql/graphiql.min.js",
  "graphiql.css": "node_modules/graphiql/graphiql.min.css",
  "explorer.js": `${OWN}/explorer.js`,
  "explorer.css": `${OWN}/explorer.css`
};
var POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ");
var compress = promisify(gzip);
async function load(file) {
  const plain2 = await readFile(path2.join(projectRoot, file));
  const type = file.endsWith(".css") ? "text/css" : file.endsWith(".html") ? "text/html" : "text/javascript";
  return { type: `${type}; charset=utf-8`, plain: plain2, zipped: await compress(plain2) };
}
function send({ req, res }, { type, plain: plain2, zipped }, headers) {
  const zip = /\bgzip\b/.test(req.headers["accept-encoding"]?.toString() ?? "");
  const body = zip ? zipped : plain2;
  if (zip) res.setHeader("content-encoding", "gzip");
  res.writeHead(200, { ...headers, "content-type": type, "content-length": body.length, vary: "accept-encoding", "content-security-policy": POLICY });
  res.end(req.method === "HEAD" ? void 0 : body);
}
function createExplorer() {
  const loaded = /* @__PURE__ */ new Map();
  const assetOf = (file) => {
    const known = loaded.get(file) ?? load(file);
    loaded.set(file, known);
    known.catch(() => loaded.delete(file));
    return known;
  };
  return {
    page: async (exchange) => send(exchange, await assetOf(`${OWN}/explorer.html`), { "cache-control": "no-store" }),
    assets: {
      method: "GET",
      path: "/graphql/assets/{name}",
      access: "public",
      async handle(exchange, { name = "" }) {
        const file = Object.hasOwn(FILES, name) ? FILES[name] : void 0;
        if (file === void 0) throw new DomainError("route_not_found", `nothing is registered under ${exchange.path}`);
        send(exchange, await assetOf(file), { "cache-control": "public, max-age=3600" });
      }
    }
  };
}
var wantsPage = ({ req, search }) => (req.method === "GET" || req.method === "HEAD") && (req.headers.accept ?? "").includes("text/html") && !/(?:^|&)query=/.test(search);

// platform/json.ts
import { isAscii, isUtf8 } from "node:buffer";

// platform/json-faults.ts
var QUOTE = 34;
var BACKSLASH = 92;
var COMMA = 44;
var MINUS = 45;
var ARRAY = 91;
var ARRAY_END = 93;
var OBJECT = 123;
var OBJECT_END = 125;
var isDigit = (code) => code >= 48 && code <= 57;
var LONE_SURROGATE = new RegExp("\\p{Surrogate}", "u");
var NUMBER = /-?\d+(\.\d+)?([eE][+-]?\d+)?/y;
var pathOf = (levels) => levels.reduce((path3, { key, index }) => {
  if (key === void 0) return `${path3}[${index}]`;
  return /^[A-Za-z_]\w*$/.test(key) ? `${path3}.${key}` : `${path3}[${JSON.stringify(key)}]`;
}, "$");
function textFault(value) {
  if (value.includes("\0")) return "a string must not hold U+0000";
  return LONE_SURROGATE.test(value) ? "a string must not hold a lone surrogate" : void 0;
}
function numberFault(literal) {
  const value = Number(literal);
  if (!Number.isFinite(value)) return `the number ${literal.slice(0, 40)} is out of range`;
  if (/[eE]/.test(literal) || !Number.isInteger(value) || Number.isSafeInteger(value)) return void 0;
  return `the integer ${literal.slice(0, 40)} is beyond \xB1(2^53\u22121)`;
}
function endOfString(text, start) {
  for (let at = start + 1; ; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) return at + 1;
  }
}
function findJsonFault(text) {
  const levels = [];
  let nameNext = false;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    const level = levels.at(-1);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      const value = JSON.parse(text.slice(at, end));
      if (nameNext && level) level.key = value;
      nameNext = false;
      const message = textFault(value);
      if (message !== void 0) return { path: pathOf(levels), message };
      at = end;
    } else if (code === MINUS || isDigit(code)) {
      NUMBER.lastIndex = at;
      const literal = NUMBER.exec(text)?.[0] ?? text.charAt(at);
      const message = numberFault(literal);
      if (message !== void 0) return { path: pathOf(levels), message };
      at += literal.length;
    } else {
      if (code === OBJECT) {
        levels.push({ key: "", index: 0 });
        nameNext = true;
      } else if (code === ARRAY) {
        levels.push({ key: void 0, index: 0 });
        nameNext = false;
      } else if (code === OBJECT_END || code === ARRAY_END) {
        levels.pop();
        nameNext = false;
      } else if (code === COMMA && level) {
        level.index++;
        nameNext = level.key !== void 0;
      }
      at++;
    }
  }
  return void 0;
}

// platform/json.ts
var MAX_JSON_DEPTH = 200;
var SUSPICIOUS = /\\u(?:0000|[dD][89a-fA-F])|\d{16}|[eE]\+?\d{3}/;
function occursMoreThan(text, bracket, most) {
  let at = -1;
  for (let seen = 0; seen <= most; seen++) {
    at = text.indexOf(bracket, at + 1);
    if (at < 0) return false;
  }
  return true;
}
function tooDeep(text) {
  if (!occursMoreThan(text, "[", MAX_JSON_DEPTH / 2) && !occursMoreThan(text, "{", MAX_JSON_DEPTH / 2)) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 34:
        while (++at < text.length && text.charCodeAt(at) !== 34) if (text.charCodeAt(at) === 92) at++;
        break;
      case 91:
      case 123:
        if (++depth > MAX_JSON_DEPTH) return true;
        break;
      case 93:
      case 125:
        depth--;
        break;
      default:
    }
  }
  return false;
}
function textOf(input) {
  if (typeof input === "string") return input;
  if (isAscii(input)) return input.toString("latin1");
  if (!isUtf8(input)) throw badRequest("the body is not valid UTF-8");
  return input.toString("utf8");
}
function parseJson(input) {
  const text = textOf(input);
  if (tooDeep(text)) throw badRequest(`the JSON is nested deeper than ${MAX_JSON_DEPTH} levels`);
  let value;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const position = cause instanceof Error ? /at position (\d+)/.exec(cause.message)?.[1] : void 0;
    throw badRequest(position === void 0 ? "the body is not valid JSON" : `the body is not valid JSON: unexpected character at position ${position}`);
  }
  if (SUSPICIOUS.test(text) || typeof input === "string" && LONE_SURROGATE.test(text)) {
    const fault = findJsonFault(text);
    if (fault) throw invalid(`${fault.path}: ${fault.message}`, { path: fault.path });
  }
  return value;
}

// platform/read-body.ts
var tooLarge = (limit) => new DomainError("payload_too_large", `the body is larger than ${limit} bytes`, { limit });
function readBody({ req, bodyLimit }) {
  const declared = Number(req.headers["content-length"] ?? 0);
  if (declared > bodyLimit) {
    req.resume();
    return Promise.reject(tooLarge(bodyLimit));
  }
  return new Promise((resolve, reject) => {
    const chunks = [];
    let length = 0;
    let refused = false;
    req.on("data", (chunk) => {
      length += chunk.length;
      if (length <= bodyLimit) chunks.push(chunk);
      else if (!refused) {
        refused = true;
        chunks.length = 0;
        reject(tooLarge(bodyLimit));
      }
    });
    req.on("end", () => {
      const [only] = chunks;
      resolve(chunks.length === 1 && only ? only : Buffer.concat(chunks));
    });
    req.on("error", () => reject(badRequest("the body ended early")));
    req.on("close", () => {
      if (!req.complete) reject(badRequest("the body ended early"));
    });
  });
}
function mediaType({ req }) {
  const header = req.headers["content-type"];
  if (header === void 0 || header === "application/json") return header;
  const end = header.indexOf(";");
  return (end < 0 ? header : header.slice(0, end)).trim().toLowerCase();
}
var isJson = (type) => type === "application/json" || /^application\/[\w.!#$&^-]+\+json$/.test(type);
function assertPlainEncoding({ req }) {
  const encoding = req.headers["content-encoding"];
  if (encoding !== void 0 && encoding.toLowerCase() !== "identity") throw new DomainError("unsupported_media_type", `content encoding ${encoding} is not supported`);
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(req.headers["content-type"] ?? "")?.[1];
  if (charset !== void 0 && !/^(utf-?8|us-ascii)$/i.test(charset)) throw new DomainError("unsupported_media_type", `charset ${charset} is not supported; send UTF-8`);
}
async function readJson(exchange, { required }) {
  const type = mediaType(exchange);
  if (type === void 0 || !isJson(type)) {
    const empty = exchange.req.headers["transfer-encoding"] === void 0 && Number(exchange.req.headers["content-length"] ?? 0) === 0;
    if (type !== void 0 && !empty) throw new DomainError("unsupported_media_type", `the body must be application/json, not ${type}`);
  }
  assertPlainEncoding(exchange);
  const body = await readBody(exchange);
  if (body.length > 0) return parseJson(body);
  if (required) throw badRequest("a JSON body is required");
  return void 0;
}

// router/graphql/read-request.ts
var NO_VARIABLES = {};
var isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
function requestOf({ query, operationName, variables, extensions }) {
  if (typeof query !== "string" || query === "") throw badRequest("`query` must be a GraphQL document");
  if (operationName !== void 0 && operationName !== null && typeof operationName !== "string") throw badRequest("`operationName` must be a string");
  if (variables !== void 0 && variables !== null && !isObject(variables)) throw badRequest("`variables` must be an object");
  if (extensions !== void 0 && extensions !== null && !isObject(extensions)) throw badRequest("`extensions` must be an object");
  return { query, operationName: operationName ?? void 0, variables: variables ?? NO_VARIABLES };
}
async function readPost(exchange) {
  const body = await readJson(exchange, { required: true });
  if (Array.isArray(body)) throw badRequest("a request holds one operation: batches are not taken");
  if (!isObject(body)) throw badRequest("the body must be a JSON object");
  return requestOf(body);
}
var once = (parameters, name) => {
  const values = parameters.getAll(name);
  if (values.length > 1) throw badRequest(`\`${name}\` may be given once`);
  return values[0];
};
var json = (text) => text === void 0 || text === "" ? void 0 : parseJson(text);
function readGet({ search }) {
  const parameters = new URLSearchParams(search);
  const [query, operationName] = [once(parameters, "query"), once(parameters, "operationName")];
  return requestOf({ query, operationName, variables: json(once(parameters, "variables")), extensions: json(once(parameters, "extensions")) });
}

// router/graphql/endpoint.ts
var TYPES = {
  "": "application/json; charset=utf-8",
  "*/*": "application/json; charset=utf-8",
  "application/json": "application/json; charset=utf-8",
  "application/graphql-response+json": "application/graphql-response+json; charset=utf-8"
};
var plainType = ({ req }) => req.method === "POST" ? TYPES[req.headers.accept ?? ""] : void 0;
async function runStraight(exchange, operation, { variables }, type) {
  const result = await operation.run(variables, exchange.caller);
  send2(exchange, hasRun(result) ? 200 : 400, type, answerText(result, exchange.requestId));
}
async function createGraphqlEndpoint(options) {
  const { supergraph, log: log2, introspection, bodyLimit, shortcut = true } = options;
  const engine = await createApolloEngine(supergraph, log2);
  const explorer = options.explorer ? createExplorer() : void 0;
  const answer2 = async (exchange, request) => {
    const operation = admit(supergraph, introspection, request, exchange);
    const type = shortcut ? plainType(exchange) : void 0;
    if (type !== void 0) return runStraight(exchange, operation, request, type);
    sendAnswer(exchange, await engine.answer(exchange, operation, request));
  };
  const guarded = async (exchange, read) => {
    try {
      await answer2(exchange, await read(exchange));
    } catch (thrown) {
      refuse2(exchange, thrown, log2);
    }
  };
  return {
    routes: [
      { method: "POST", path: "/graphql", access: "authenticated", bodyLimit, handle: (exchange) => guarded(exchange, readPost) },
      {
        method: "GET",
        path: "/graphql",
        access: explorer ? "public" : "authenticated",
        // the page is; a query is not
        handle: (exchange) => {
          if (explorer && wantsPage(exchange)) return explorer.page(exchange);
          assertKnown(exchange);
          return guarded(exchange, readGet);
        }
      },
      ...explorer ? [explorer.assets] : []
    ],
    close: () => engine.close()
  };
}
function assertKnown({ caller: caller2, refusal, req, search }) {
  if (caller2.roles.length === 0) throw refusal ?? new DomainError("missing_token", "a credential is required: Authorization: Bearer <token> or X-Api-Key: <key>");
  assertAllowed(caller2, "authenticated");
  const named2 = [req.headers["x-project"], ...new URLSearchParams(search).getAll("project")];
  for (const project of named2) if (typeof project === "string") assertMember(caller2, project);
}
function send2({ req, res }, status, type, body) {
  res.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(body), "cache-control": "no-store" });
  res.end(req.method === "HEAD" ? void 0 : body);
}
function sendAnswer(exchange, { status, headers, body }) {
  for (const [name, value] of headers) exchange.res.setHeader(name, value);
  send2(exchange, status, headers.get("content-type") ?? "application/json; charset=utf-8", body);
}
function refuse2(exchange, thrown, log2) {
  const refusal = masked(thrown);
  const { res, requestId } = exchange;
  if (refusal.code === "internal_error") log2.error({ err: refusal.cause, requestId }, "unexpected error at the GraphQL endpoint");
  if (res.headersSent) return void res.destroy();
  const challenge = challengeOf(refusal.status);
  if (challenge !== void 0) res.setHeader("www-authenticate", challenge);
  if (refusal.code === "method_not_allowed") res.setHeader("allow", "POST");
  send2(exchange, refusal.status, "application/json; charset=utf-8", refusalText(refusal, requestId));
}

// test/router/library.ts
import pino from "pino";

// platform/subgraph.ts
import { buildSubgraphSchema as buildSubgraphSchema2, printSubgraphSchema } from "@apollo/subgraph";
import {
  execute as execute2,
  GraphQLError as GraphQLError6,
  Kind as Kind9,
  parse as parse4,
  subscribe,
  validate as validate3,
  valueFromASTUntyped as valueFromASTUntyped2
} from "graphql";
import { compileQuery, isCompiledQuery } from "graphql-jit";

// platform/text-fields.ts
import {
  getArgumentValues,
  getVariableValues as getVariableValues2,
  GraphQLError as GraphQLError5,
  isNonNullType as isNonNullType2,
  Kind as Kind8
} from "graphql";
function plain(set) {
  const fields = [];
  const seen = /* @__PURE__ */ new Set();
  for (const node of set?.selections ?? []) {
    if (node.kind !== Kind8.FIELD || (node.directives?.length ?? 0) > 0) return null;
    const key = node.alias?.value ?? node.name.value;
    if (seen.has(key)) return null;
    seen.add(key);
    const selection = plain(node.selectionSet);
    if (selection === null) return null;
    fields.push({ key, name: node.name.value, hasArguments: (node.arguments?.length ?? 0) > 0, selection });
  }
  return fields;
}
function prepareFields(root, operation, texts) {
  const selection = plain(operation.selectionSet);
  if (selection === null) return null;
  const prepared = [];
  for (const [i, part] of selection.entries()) {
    const node = operation.selectionSet.selections[i];
    const field = root.getFields()[part.name];
    const coordinate = `${root.name}.${part.name}`;
    const write = field && texts[coordinate]?.(part.selection);
    if (!write || node?.kind !== Kind8.FIELD) return null;
    prepared.push({ key: part.key, coordinate, field, node, write });
  }
  return prepared;
}
var NONE2 = [];
function compileTexts(schema, operation, texts) {
  const root = operation.operation === "query" ? schema.getQueryType() : null;
  const fields = root && prepareFields(root, operation, texts);
  if (!fields || fields.length === 0) return null;
  const definitions = operation.variableDefinitions ?? [];
  return async (inputs, context, permissions2) => {
    const { coerced, errors: refused } = getVariableValues2(schema, definitions, inputs);
    if (refused) return { errors: refused, refused: true };
    const answers = {};
    const errors = [];
    let fatal = false;
    const write = async (field) => {
      answers[field.key] = "null";
      try {
        const permission = permissions2[field.coordinate];
        if (permission === void 0) throw new Error(`${field.coordinate} has no entry in its subgraph's permissions`);
        assertAllowed(context.caller, permission);
        answers[field.key] = await field.write(getArgumentValues(field.field, field.node, coerced), context);
      } catch (thrown) {
        fatal ||= isNonNullType2(field.field.type);
        errors.push(located(thrown, field.key));
      }
    };
    const only = fields[0];
    if (fields.length === 1 && only) await write(only);
    else await Promise.all(fields.map(write));
    if (fatal) return { errors };
    return { texts: answers, errors: errors.length === 0 ? NONE2 : errors };
  };
}
function located(thrown, key) {
  if (thrown instanceof GraphQLError5) return thrown;
  const cause = thrown instanceof Error ? thrown : new Error(String(thrown));
  return new GraphQLError5(cause.message, { path: [key], originalError: cause });
}

// platform/subgraph.ts
function guard(schema, permissions2) {
  for (const root of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
    for (const field of Object.values(root?.getFields() ?? {})) {
      if (field.name === "_service" || field.name === "_entities") continue;
      const coordinate = `${root?.name}.${field.name}`;
      const permission = permissions2[coordinate];
      if (permission === void 0) throw new Error(`${coordinate} has no entry in its subgraph's permissions`);
      const wrap = (inner) => (source, args, context, info) => {
        assertAllowed(context.caller, permission);
        return inner(source, args, context, info);
      };
      if (field.subscribe) field.subscribe = wrap(field.subscribe);
      else if (field.resolve) field.resolve = wrap(field.resolve);
      else throw new Error(`${coordinate} has no resolver`);
    }
  }
}
var isRequestFault = (error, cause) => cause instanceof GraphQLError6 ? cause.message.startsWith('Argument "') : (cause === void 0 || cause === null) && error.path === void 0;
function presentable2(error, log2, requestId) {
  const place = error.path === void 0 ? {} : { path: error.path };
  const cause = error.originalError;
  if (isRequestFault(error, cause)) return { message: error.message, ...place, extensions: { code: graphqlCode("invalid_request") } };
  const known = masked(cause ?? error);
  if (known.code === "internal_error") log2.error({ err: known.cause ?? known, requestId, path: error.path }, "unexpected error in a resolver");
  return { message: known.message, ...place, extensions: known.extensions };
}
var operationOf = (document, name) => {
  const operations = document.definitions.filter((d) => d.kind === Kind9.OPERATION_DEFINITION);
  const found = name === void 0 ? operations[0] : operations.find((o) => o.name?.value === name);
  if (found === void 0 || name === void 0 && operations.length > 1) throw badRequest("the document does not name one operation");
  return found;
};
function defaultsOf(operation) {
  const defaults = (operation.variableDefinitions ?? []).flatMap(({ type, variable, defaultValue }) => type.kind === Kind9.NON_NULL_TYPE && defaultValue !== void 0 ? [[variable.name.value, valueFromASTUntyped2(defaultValue)]] : []);
  return defaults.length === 0 ? null : Object.fromEntries(defaults);
}
function createLocalComponent(definition) {
  const { name, resolvers, permissions: permissions2, log: log2 } = definition;
  const schema = buildSubgraphSchema2([{
    typeDefs: parse4(definition.typeDefs),
    resolvers
    // the resolver map's type is erased here: each subgraph types its own against its SDL
  }]);
  guard(schema, permissions2);
  const sdl = printSubgraphSchema(schema);
  const finish = (result, context) => {
    const errors = result.errors?.map((e2) => presentable2(e2, log2, context.caller.requestId));
    return {
      ...result.data === void 0 ? {} : { data: result.data },
      // no data: the request was refused before anything ran
      ...errors === void 0 || errors.length === 0 ? {} : { errors },
      extensions: context.extensions
    };
  };
  const checked = (source) => {
    const document = parse4(source);
    const faults = validate3(schema, document);
    if (faults[0]) throw badRequest(faults[0].message);
    return document;
  };
  const prepare = (source, operationName) => {
    const document = checked(source);
    const operation = operationOf(document, operationName);
    const texts = compileTexts(schema, operation, definition.texts ?? {});
    if (texts) {
      return async (variables, caller2) => {
        const context = definition.context(caller2);
        const outcome = await texts(variables, context, permissions2);
        if (outcome.errors.length > 0 || outcome.texts === void 0) {
          const failed = finish({ errors: outcome.errors }, context);
          if (outcome.texts !== void 0) return { ...failed, texts: outcome.texts };
          return outcome.refused ? failed : { ...failed, data: null };
        }
        return { texts: outcome.texts, extensions: context.extensions };
      };
    }
    const compiled = compileQuery(schema, document, operationName ?? operation.name?.value);
    const run2 = isCompiledQuery(compiled) ? (context, variables) => compiled.query({}, context, variables) : (context, variableValues) => execute2({ schema, document, contextValue: context, variableValues, operationName: operationName ?? null });
    const defaults = defaultsOf(operation);
    return async (variables, caller2) => {
      const context = definition.context(caller2);
      return finish(await run2(context, defaults === null ? variables : { ...defaults, ...variables }), context);
    };
  };
  return {
    name,
    schema,
    sdl: () => Promise.resolve(sdl),
    prepare,
    async subscribe(source, variableValues, caller2) {
      const context = definition.context(caller2);
      const started = await subscribe({ schema, document: checked(source), contextValue: context, variableValues });
      if (!(Symbol.asyncIterator in started)) {
        const error = started.errors?.[0];
        throw error?.originalError ?? new DomainError("invalid_request", error?.message ?? "the subscription could not start");
      }
      return (async function* results() {
        for await (const result of started) yield finish(result, context);
      })();
    },
    probe: () => Promise.resolve(200),
    close: () => Promise.resolve()
  };
}

// test/router/library.ts
var log = pino({ level: "silent" });
var caller = { actor: "user:ada", roles: ["admin"], projects: "*", requestId: "5f0c3c3e-6f5e-4a57-9a0f-3f1f6f1f0a01" };
var LINK = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable", "@external", "@requires", "@provides", "@interfaceObject"])';
var BOOKS = [
  { id: "b1", title: "Engines", pages: 100, authorId: "p1", extra: { a: [1, { b: null }] }, tags: ["x", null] },
  { id: "b2", title: "Notes", pages: 20, authorId: "p2", extra: "text", tags: [] },
  { id: "b3", title: "Lost", pages: 7, authorId: "nobody", extra: null, tags: ["y"] }
];
var booksSdl = `${LINK}
scalar JSON
enum Order { UP DOWN }
input Pages { least: Int = 0, most: Int }
interface Thing { id: ID! }
type Book implements Thing @key(fields: "id") { id: ID! title: String! pages: Int! extra: JSON tags: [String] author: Person shelf: Shelf broken: Int brittle: Int! me: Book! }
type Shelf @key(fields: "room number") { room: String! number: Int! books: [Book!]! }
type Person @key(fields: "id") { id: ID! }
union Found = Book | Shelf
type Query {
  book(id: ID!): Book
  books(order: Order = UP, pages: Pages, first: Int): [Book!]!
  things: [Thing!]!
  found: [Found]
  project(project: String): String
  failing(code: String!): Book
  crash: String
}
type Mutation { rename(id: ID!, title: String!): Book, note(data: JSON): String }
`;
var sorted = (args) => BOOKS.filter((b) => b.pages >= (args.pages?.least ?? 0) && b.pages <= (args.pages?.most ?? Infinity)).sort((a, b) => (args.order === "DOWN" ? -1 : 1) * (a.id < b.id ? -1 : 1)).slice(0, args.first);
var typed = (book) => ({ __typename: "Book", ...book });
var bookOf = (id) => BOOKS.find((b) => b.id === id) ?? null;
var shelfOf = (room, number) => ({ __typename: "Shelf", room, number, books: BOOKS.slice(0, number) });
var booksResolvers = {
  Query: {
    book: (_, { id }, { extensions }) => {
      extensions.schemaVersion = "7";
      return bookOf(id);
    },
    books: (_, args) => sorted(args),
    things: () => BOOKS.map(typed),
    found: () => [typed(BOOKS[0]), null, shelfOf("R", 2)],
    project: (_, { project }) => project ?? "none",
    failing: (_, { code }) => {
      throw new DomainError(code, `told ${code}`, { hint: "look" });
    },
    crash: () => {
      throw new Error("the password is hunter2");
    }
  },
  Mutation: {
    rename: (_, { id, title }) => {
      const book = bookOf(id);
      return book && { ...book, title };
    },
    note: (_, { data }) => JSON.stringify(data ?? null)
  },
  Book: {
    author: (book) => ({ id: book.authorId }),
    shelf: (book) => book.id === "b3" ? null : { room: "R", number: book.pages },
    broken: (book) => {
      if (book.id === "b2") throw new DomainError("not_found", "nothing here");
      return 1;
    },
    brittle: (book) => {
      if (book.id === "b2") throw new Error("secret");
      return 2;
    },
    me: (book) => book,
    __resolveReference: ({ id }) => bookOf(id)
  },
  Shelf: { books: (shelf) => BOOKS.slice(0, Math.min(shelf.number, 2)), __resolveReference: ({ room, number }) => shelfOf(room, number) },
  Person: {}
};
var peopleSdl = `${LINK}
type Person @key(fields: "id") { id: ID! name: String! age(unit: String = "years"): String friends(first: Int = 5): [Person!]! strict: Int! }
type Book @key(fields: "id") { id: ID! title: String! @external readers(min: Int): [Person!] label(prefix: String): String @requires(fields: "title") must: String! }
type Query { person(id: ID!): Person, people: [Person!]! }
type Mutation { greet(id: ID!): Person }
`;
var PEOPLE = [{ id: "p1", name: "Ada", age: 36 }, { id: "p2", name: "Bo", age: 50 }];
var personOf = (id) => PEOPLE.find((p) => p.id === id) ?? null;
var peopleResolvers = {
  Query: { person: (_, { id }) => personOf(id), people: () => PEOPLE },
  Mutation: { greet: (_, { id }) => personOf(id) },
  Person: {
    age: (person, { unit }) => `${person.age} ${unit}`,
    friends: (person, { first }) => PEOPLE.filter((p) => p !== person).slice(0, first),
    strict: (person) => {
      if (person.id === "p2") throw new DomainError("conflict", "too strict");
      return 3;
    },
    __resolveReference: ({ id }) => personOf(id)
  },
  Book: {
    readers: (_, { min }) => min === 9 ? null : PEOPLE,
    label: ({ title }, { prefix }) => `${prefix ?? ""}${title}`,
    must: ({ id }) => id === "b2" ? null : "must",
    __resolveReference: (reference) => reference.id === "b3" ? null : reference
  }
};
var loansSdl = `${LINK}
type Loan @key(fields: "id") { id: ID! book: Book! person: Person due: String! }
type Book @key(fields: "id") { id: ID! loans(first: Int): [Loan!]! lastLoan: Loan }
type Person @key(fields: "id") { id: ID! loans: [Loan!]! }
type Query { loan(id: ID!): Loan, loans: [Loan!]! }
`;
var LOANS = [
  { id: "l1", bookId: "b1", personId: "p1", due: "2026-01-01" },
  { id: "l2", bookId: "b1", personId: "p2", due: "2026-02-01" },
  { id: "l3", bookId: "b2", personId: "p1", due: "2026-03-01" }
];
var loansResolvers = {
  Query: { loan: (_, { id }) => LOANS.find((l) => l.id === id) ?? null, loans: () => LOANS },
  Loan: {
    book: (loan) => ({ id: loan.bookId }),
    person: (loan) => ({ id: loan.personId }),
    __resolveReference: ({ id }) => LOANS.find((l) => l.id === id) ?? null
  },
  Book: {
    loans: ({ id }, { first }) => LOANS.filter((l) => l.bookId === id).slice(0, first),
    lastLoan: ({ id }) => LOANS.find((l) => l.bookId === id) ?? null,
    __resolveReference: (reference) => reference
  },
  Person: { loans: ({ id }) => LOANS.filter((l) => l.personId === id), __resolveReference: (reference) => reference }
};
var reads = (...fields) => Object.fromEntries(fields.map((f) => [`Query.${f}`, "metadata:read"]));
var booksPermissions = {
  ...reads("book", "books", "things", "found", "project", "failing", "crash"),
  "Mutation.rename": "metadata:write",
  "Mutation.note": "schema:write"
};
var peoplePermissions = { ...reads("person", "people"), "Mutation.greet": "metadata:write" };
var loansPermissions = reads("loan", "loans");
var permissions = { ...booksPermissions, ...peoplePermissions, ...loansPermissions };
var component = (definition) => createLocalComponent({ ...definition, log, context: (c) => ({ caller: c, extensions: {} }) });
var createBooks = (typeDefs = booksSdl) => component({
  name: "books",
  typeDefs,
  resolvers: booksResolvers,
  permissions: booksPermissions,
  texts: {
    "Query.book": (selection) => selection.every((s2) => s2.name === "id" || s2.name === "title") ? (args) => {
      const book = bookOf(String(args["id"]));
      return Promise.resolve(book ? `{${selection.map((s2) => `${JSON.stringify(s2.key)}:${JSON.stringify(book[s2.name])}`).join(",")}}` : "null");
    } : null
  }
});
var createPeople = () => component({ name: "people", typeDefs: peopleSdl, resolvers: peopleResolvers, permissions: peoplePermissions });
var createLoans = () => component({ name: "loans", typeDefs: loansSdl, resolvers: loansResolvers, permissions: loansPermissions });
var createLibrary = () => [createBooks(), createPeople(), createLoans()];

// test/router/bench-scratch.ts
var mode = process.argv[2];
var s = await createSupergraph({ components: createLibrary(), permissions, log });
var e = await createGraphqlEndpoint({ supergraph: s, log, introspection: true, explorer: true, bodyLimit: 1e6, shortcut: mode === "fast" });
var post = e.routes.find((r) => r.method === "POST" && r.path === "/graphql");
createServer((req, res) => {
  const x = { req, res, requestId: caller.requestId, path: "/graphql", search: "", ip: "", caller, template: "", bodyLimit: 1e6 };
  if (mode !== "bare") void post.handle(x, {});
  else {
    let b = "";
    req.on("data", (c) => b += c);
    req.on("end", () => {
      JSON.parse(b);
      const t = '{"data":{"book":{"id":"b1","title":"Engines"}}}';
      res.writeHead(200, { "content-type": "application/json; charset=utf-8", "content-length": Buffer.byteLength(t) }).end(t);
    });
  }
}).listen(Number(process.argv[3]), "127.0.0.1");
