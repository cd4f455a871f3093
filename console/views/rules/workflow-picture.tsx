// The workflow of a rule as a picture: inputs, steps and outputs, with an arrow for each value that is passed on.
import { type EdgeLabel, Graph, type GraphLabel, layout, type NodeLabel } from '@dagrejs/dagre';
import { type ReactNode, useMemo } from 'react';
import { ArrowHead } from '../../parts/arrow-head.tsx';
import { fit, plural } from '../../parts/text.ts';
import type { WorkflowPartsFragment as Workflow } from '../../generated/api.ts';

type StepEntry = Workflow['steps'][number];

const BOX = { width: 190, height: 46 } as const;
const MARGIN = 24;
/** Characters of a line in a box. */
const LONGEST = 24;

type Kind = 'input' | 'step' | 'output';

interface Box {
  readonly key: string;
  readonly kind: Kind;
  readonly name: string;
  readonly about: string;
}
interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly text: string;
}
interface Drawing {
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
}

const keyOf = (kind: Kind, name: string): string => `${kind} ${name}`;

function aboutStep({ kind, label, stepCount, isScattered, isConditional }: StepEntry): string {
  const what = stepCount > 0 ? `workflow of ${plural(stepCount, 'step')}` : (label ?? kind);
  return [what, ...(isScattered ? ['for each'] : []), ...(isConditional ? ['if'] : [])].join(', ');
}

/** A single tool is drawn as the one step that it is. */
function stepsOf({ kind, steps, inputs }: Workflow, name: string): readonly StepEntry[] {
  if (kind === 'Workflow') return steps;
  return [
    {
      name,
      kind,
      label: null,
      stepCount: 0,
      isScattered: false,
      isConditional: false,
      inputs: inputs.map((input) => ({ name: input.name, sources: [input.name] })),
    },
  ];
}

function drawingOf(workflow: Workflow, name: string): Drawing {
  const { inputs, outputs } = workflow;
  const steps = stepsOf(workflow, name);
  const isTool = workflow.kind !== 'Workflow';
  const arrowsTo = (to: string, sources: readonly string[], text: string): readonly Arrow[] =>
    sources.map((source) => {
      const [step = '', output] = source.split('/', 2);
      return output === undefined
        ? { from: keyOf('input', step), to, text }
        : { from: keyOf('step', step), to, text: output === text ? text : `${output} → ${text}` };
    });
  return {
    boxes: [
      ...inputs.map(({ name: input, type, optional }) => ({
        key: keyOf('input', input),
        kind: 'input' as const,
        name: input,
        about: optional ? `${type}, optional` : type,
      })),
      ...steps.map((step) => ({
        key: keyOf('step', step.name),
        kind: 'step' as const,
        name: step.name,
        about: aboutStep(step),
      })),
      ...outputs.map(({ name: output, type }) => ({
        key: keyOf('output', output),
        kind: 'output' as const,
        name: output,
        about: type,
      })),
    ],
    arrows: [
      ...steps.flatMap((step) =>
        step.inputs.flatMap((input) => arrowsTo(keyOf('step', step.name), input.sources, input.name)),
      ),
      ...outputs.flatMap(({ name: output, sources }) =>
        arrowsTo(keyOf('output', output), isTool ? [`${name}/${output}`] : sources, output),
      ),
    ],
  };
}

interface Placed<Thing> {
  readonly thing: Thing;
  readonly x: number;
  readonly y: number;
  readonly path: string;
}
interface Picture {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Placed<Box>[];
  readonly arrows: readonly Placed<Arrow>[];
}

function placed({ boxes, arrows }: Drawing): Picture {
  const graph = new Graph<GraphLabel, NodeLabel, EdgeLabel>({ multigraph: true });
  graph.setGraph({ rankdir: 'LR', nodesep: 16, edgesep: 12, ranksep: 110, marginx: MARGIN, marginy: MARGIN });
  for (const { key } of boxes) graph.setNode(key, { ...BOX });
  const known = arrows.filter(({ from, to }) => graph.hasNode(from) && graph.hasNode(to));
  for (const [i, { from, to, text }] of known.entries())
    graph.setEdge(from, to, { width: fit(text, LONGEST).length * 6, height: 14, labelpos: 'c' }, String(i));
  layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  return {
    width,
    height,
    boxes: boxes.map((thing) => {
      const { x = 0, y = 0 } = graph.node(thing.key);
      return { thing, x, y, path: '' };
    }),
    arrows: known.map((thing, i) => {
      const { points = [], x = 0, y = 0 } = graph.edge(thing.from, thing.to, String(i));
      return {
        thing,
        x,
        y,
        path: points.map((point, j) => `${j === 0 ? 'M' : 'L'}${point.x},${point.y}`).join(' '),
      };
    }),
  };
}

/** The same in words, for those who do not see it. */
const spoken = ({ boxes, arrows }: Drawing): string => {
  const count = (kind: Kind): number => boxes.filter((box) => box.kind === kind).length;
  return `${plural(count('input'), 'input')}, ${plural(count('step'), 'step')}, ${plural(count('output'), 'output')}, ${plural(arrows.length, 'connection')}`;
};

export default function WorkflowPicture({
  name,
  requires,
  produces,
  workflow,
}: {
  /** Of the rule. */
  readonly name: string;
  readonly requires: readonly string[];
  readonly produces: readonly string[];
  readonly workflow: Workflow;
}): ReactNode {
  const drawing = useMemo(() => drawingOf(workflow, name), [workflow, name]);
  const { width, height, boxes, arrows } = useMemo(() => placed(drawing), [drawing]);
  return (
    <div className="stack">
      <p className="quiet small">
        CWL {workflow.cwlVersion}, {workflow.kind}: {spoken(drawing)}. From{' '}
        {requires.join(', ') || 'nothing that is stored'} it makes {produces.join(', ')}.
      </p>
      <div className="diagram" role="region" aria-label="Steps of the workflow" tabIndex={0}>
        <svg
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          role="img"
          aria-label={spoken(drawing)}
        >
          <defs>
            <ArrowHead id="flow" />
          </defs>
          {arrows.map(({ thing: { from, to, text }, path, x, y }, i) => (
            <g key={`${from} ${to} ${i}`}>
              <path className="edge" d={path} markerEnd="url(#flow)" />
              <text className="edge-label" x={x} y={y + 4} textAnchor="middle">
                {fit(text, LONGEST)}
              </text>
            </g>
          ))}
          {boxes.map(({ thing: { key, kind, name, about }, x, y }) => (
            <g
              key={key}
              className={`box ${kind}`}
              transform={`translate(${x - BOX.width / 2},${y - BOX.height / 2})`}
            >
              <title>{`${name}: ${about}`}</title>
              <rect width={BOX.width} height={BOX.height} rx={kind === 'step' ? 8 : 23} />
              <text x="14" y="20">
                {fit(name, LONGEST)}
              </text>
              <text className="type" x="14" y="36">
                {fit(about, LONGEST + 6)}
              </text>
            </g>
          ))}
        </svg>
      </div>
    </div>
  );
}
