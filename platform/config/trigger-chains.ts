// Finds triggers that would start themselves: a cycle in the chain of events is a fault of the configuration (spec 3 «Trigger transitions» 3).
import { type ConfigFault, faultAt } from './faults.ts';
import type { Trigger } from './trigger-definition.ts';

interface Link { readonly key: 'on_success' | 'on_failure'; readonly event: string; readonly to: Trigger }

/** One fault for each cycle, at the event of its first trigger in the order of the file, naming the whole chain. */
export function cyclesOf(triggers: readonly Trigger[]): ConfigFault[] {
  const subscribers = new Map<string, Trigger[]>();
  for (const trigger of triggers) {
    if (trigger.type === 'internal_event') subscribers.set(trigger.event, [...(subscribers.get(trigger.event) ?? []), trigger]);
  }
  const linksOf = (from: Trigger): Link[] => (['on_success', 'on_failure'] as const).flatMap((key) => {
    const event = key === 'on_success' ? from.onSuccess : from.onFailure;
    return event === undefined ? [] : (subscribers.get(event) ?? []).map((to) => ({ key, event, to }));
  });

  const faults: ConfigFault[] = [];
  const done = new Set<Trigger>();
  const visit = (trail: { trigger: Trigger; link: Link }[], trigger: Trigger): void => {
    const start = trail.findIndex((step) => step.trigger === trigger);
    const first = trail[start];
    if (first !== undefined) {
      const chain = [...trail.slice(start).map((step) => `${step.trigger.name} → (${step.link.event})`), trigger.name].join(' → ');
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
