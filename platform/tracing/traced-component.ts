// Wraps each operation of a component, in this process or another, in a span.
import type { Component, PreparedOperation } from '../component.ts';
import { callerWith } from '../caller-with.ts';
import type { Spans } from './spans.ts';
import { traceparentOf } from './trace-context.ts';

const NAME = /^\s*(query|mutation|subscription)\s+([A-Za-z_]\w*)/;

export function tracedComponent<Made extends Component>(component: Made, spans: Spans): Made {
  const prepare = (source: string, operationName?: string): PreparedOperation => {
    const run = component.prepare(source, operationName);
    const [, kind = 'query', name = operationName] = NAME.exec(source) ?? [];
    const attributes = {
      'cairn.component': component.name,
      'graphql.operation.type': kind,
      ...(name === undefined ? {} : { 'graphql.operation.name': name }),
    };
    return async (variables, caller) => {
      if (spans.active() === undefined) return run(variables, caller);
      const span = spans.start(
        `${component.name} ${name ?? kind}`,
        component.url === undefined ? 'internal' : 'client',
        attributes,
      );
      try {
        const result = await spans.within(span, () =>
          run(variables, callerWith(caller, { traceparent: traceparentOf(span.spanContext()) })),
        );
        const code = result.errors?.[0]?.extensions?.['code'];
        if (typeof code === 'string') spans.fail(span, code);
        return result;
      } finally {
        span.end();
      }
    };
  };
  return { ...component, prepare };
}
