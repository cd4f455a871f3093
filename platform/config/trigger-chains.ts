// Finds triggers that would start themselves: a cycle in the chain of events is a fault of the configuration
// (docs/reference/workflow.md#event-cycles).
import { type Named, textAt } from './definitions.ts';
import { type ConfigFault, faultAt } from './faults.ts';

interface Link {
  readonly key: 'on_success' | 'on_failure';
  readonly event: string;
  readonly to: Named;
}

/**
 * Returns one fault per cycle, located at the event of its first trigger in the file, naming the whole chain.
 * Cycles are found even where the triggers have other faults.
 */
export function cyclesOf(triggers: readonly Named[]): ConfigFault[] {
  const subscribers = new Map<string, Named[]>();
  for (const trigger of triggers) {
    const event =
      textAt(trigger.item, ['type']) === 'internal_event' ? textAt(trigger.item, ['event']) : undefined;
    if (event !== undefined) subscribers.set(event, [...(subscribers.get(event) ?? []), trigger]);
  }
  const linksOf = ({ item }: Named): Link[] =>
    (['on_success', 'on_failure'] as const).flatMap((key) => {
      const event = textAt(item, [key]) ?? textAt(item, [key, 'emit']);
      return event === undefined ? [] : (subscribers.get(event) ?? []).map((to) => ({ key, event, to }));
    });

  const faults: ConfigFault[] = [];
  const done = new Set<Named>();
  const visit = (trail: { trigger: Named; link: Link }[], trigger: Named): void => {
    const start = trail.findIndex((step) => step.trigger === trigger);
    const first = trail[start];
    if (first !== undefined) {
      const chain = [
        ...trail.slice(start).map((step) => `${step.trigger.name} → (${step.link.event})`),
        trigger.name,
      ].join(' → ');
      faults.push(faultAt(first.trigger.origin, [first.link.key], `closes a cycle of triggers: ${chain}`));
      return;
    }
    if (done.has(trigger)) return;
    for (const link of linksOf(trigger)) visit([...trail, { trigger, link }], link.to);
    done.add(trigger);
  };
  for (const trigger of triggers) visit([], trigger);
  return faults;
}
