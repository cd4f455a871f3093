// Assembles the workflow subgraph as a component of this process.
import { answers } from '../../platform/queryable.ts';
import { keptTexts } from '../../platform/kept-texts.ts';
import { contextsOver } from '../../platform/subgraph-module.ts';
import { createLocalComponent, type LocalComponent } from '../../platform/subgraph.ts';
import { measureWorkflow } from './metrics/workflow-gauges.ts';
import type { WorkflowDeps, WorkflowNoun } from './noun.ts';
import { WORKFLOW_NOUNS, type WorkflowContext } from './nouns.ts';

export function createWorkflowComponent(deps: WorkflowDeps): LocalComponent {
  const nouns: readonly WorkflowNoun<object, WorkflowContext>[] = WORKFLOW_NOUNS;
  const contextOf = contextsOver(nouns, deps);
  const endMeasuring = measureWorkflow(deps.database.pool, deps.triggers);
  const component = createLocalComponent({
    name: 'workflow',
    modules: nouns,
    context: (caller) => contextOf(caller, {}),
    isReady: () => answers(deps.database.pool),
    log: deps.log,
    kept: keptTexts(deps.log),
  });
  return {
    ...component,
    async close() {
      endMeasuring();
      await component.close();
    },
  };
}
