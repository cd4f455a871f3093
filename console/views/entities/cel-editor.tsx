// The box for an expression: CodeMirror, with completion from the schema and the server's check while it is typed.
import {
  acceptCompletion,
  autocompletion,
  completionKeymap,
  completionStatus,
  type CompletionContext,
  startCompletion,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { type Diagnostic, linter } from '@codemirror/lint';
import { EditorState, Prec } from '@codemirror/state';
import {
  Decoration,
  drawSelection,
  EditorView,
  keymap,
  MatchDecorator,
  placeholder,
  ViewPlugin,
} from '@codemirror/view';
import { type ReactNode, useEffect, useRef } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { askWarned } from '../../api/client.ts';
import type { TypeInfo } from '../../parts/type-infos.ts';
import { completionsOf } from './cel-completion.ts';
import { CHECK_FILTER } from './check-filter.ts';

const CHECK_DELAY_MS = 400;

const LOOK = EditorView.theme({
  '&': {
    border: '1px solid var(--strong-line)',
    borderRadius: 'var(--radius)',
    background: 'var(--paper)',
    color: 'var(--ink)',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
  '.cm-content': { padding: '0.45rem 0', minHeight: '3.4rem', caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-placeholder': { color: 'var(--quiet)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { background: 'var(--accent-ground)' },
  '.cm-tooltip': {
    background: 'var(--paper)',
    color: 'var(--ink)',
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius)',
    boxShadow: 'var(--shadow)',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { background: 'var(--accent)', color: 'var(--on-accent)' },
  '.cm-completionDetail': { fontStyle: 'normal', opacity: '1' },
  '.cm-diagnostic': { whiteSpace: 'pre-wrap' },
  '.cel-text': { color: 'var(--good)' },
  '.cel-number': { color: 'var(--info)' },
  '.cel-word': { color: 'var(--past)' },
});

/** Texts, numbers and words of the language; enough to see where a text ends. */
const TOKENS = /"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|\b\d+(?:\.\d+)?\b|\b(?:true|false|null|in|has)\b/g;
const marker = new MatchDecorator({
  regexp: TOKENS,
  decoration: ([token = '']) => {
    if (/^["']/.test(token)) return Decoration.mark({ class: 'cel-text' });
    return Decoration.mark({ class: /^\d/.test(token) ? 'cel-number' : 'cel-word' });
  },
});
const colours = ViewPlugin.define(
  (view) => ({
    marks: marker.createDeco(view),
    update(update) {
      this.marks = marker.updateDeco(update, this.marks);
    },
  }),
  { decorations: ({ marks }) => marks },
);

/** Where the server found the fault, as a stretch of the text: the word there, or all of it. */
function faultOf(error: ApiError, { state }: EditorView): Diagnostic {
  const { line, column } = error.details;
  const known = typeof line === 'number' && typeof column === 'number' && line <= state.doc.lines;
  const start = known ? Math.min(state.doc.line(line).from + column - 1, state.doc.length) : 0;
  const word = known ? /^\w*/.exec(state.sliceDoc(start))?.[0].length : state.doc.length;
  return {
    from: Math.max(0, Math.min(start, state.doc.length - 1)),
    to: Math.min(state.doc.length, start + Math.max(1, word ?? 1)),
    severity: 'error',
    message: error.message,
  };
}

/** A field that no type has matches nothing: the server warns, and the name is marked where it stands. */
function warningOf(message: string, { state }: EditorView): Diagnostic {
  const [, name = ''] = /\bno field ([\w.]+)/.exec(message) ?? [];
  const at =
    name === '' ? -1 : state.doc.toString().search(new RegExp(`\\b${name.replaceAll('.', '\\.')}\\b`));
  return at === -1
    ? { from: 0, to: state.doc.length, severity: 'warning', message }
    : { from: at, to: at + name.length, severity: 'warning', message };
}

const checking = (type: string, onChecked: (fault: string | undefined) => void) =>
  linter(
    async (view) => {
      const filter = view.state.doc.toString();
      if (filter.trim() === '') {
        onChecked(undefined);
        return [];
      }
      try {
        const { extensions: { warnings = [] } = {} } = await askWarned(CHECK_FILTER, { type, filter });
        const texts = warnings.map((text) => text.replace(/^filter: /, ''));
        onChecked(texts.length === 0 ? undefined : texts.join('. '));
        return texts.map((text) => warningOf(text, view));
      } catch (thrown) {
        if (!(thrown instanceof ApiError) || thrown.code !== 'validation_failed') throw thrown;
        onChecked(thrown.message);
        return [faultOf(thrown, view)];
      }
    },
    { delay: CHECK_DELAY_MS },
  );

interface Props {
  readonly id: string;
  readonly label: string;
  readonly describedBy: string;
  readonly type: TypeInfo;
  readonly hint: string;
  /** Whether it has the focus from the beginning, asked once it is there. */
  readonly takesFocus: () => boolean;
  /** The expression in force; it replaces what was typed when it changes. */
  readonly applied: string;
  readonly onChange: (text: string) => void;
  readonly onApply: () => void;
  readonly onChecked: (fault: string | undefined) => void;
}

const nonceOf = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

export default function CelEditor(props: Props): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  const now = useRef(props);
  now.current = props;
  const { type, applied } = props;
  useEffect(() => {
    const { id, label, describedBy, hint, takesFocus, applied: doc } = now.current;
    if (place.current === null) return undefined;
    const complete = ({ state, pos, explicit }: CompletionContext) => {
      const found = completionsOf(state.sliceDoc(0, pos), type.allFields);
      return found === undefined || (!explicit && found.from === pos && state.sliceDoc(pos - 1, pos) !== '.')
        ? null
        : { ...found, validFor: /^["\w]*$/ };
    };
    const apply = (view: EditorView): boolean => {
      if (completionStatus(view.state) === 'active') return acceptCompletion(view);
      now.current.onApply();
      return true;
    };
    const view = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc,
        extensions: [
          EditorView.cspNonce.of(nonceOf()),
          EditorView.contentAttributes.of({
            id,
            'aria-label': label,
            'aria-describedby': describedBy,
            spellcheck: 'false',
          }),
          history(),
          drawSelection(),
          placeholder(hint),
          colours,
          EditorView.lineWrapping,
          autocompletion({ override: [complete], icons: false, defaultKeymap: false }),
          Prec.highest(
            keymap.of([
              { key: 'Enter', run: apply },
              { key: 'Mod-Space', run: startCompletion },
              ...completionKeymap.filter(({ key }) => key !== 'Enter'),
            ]),
          ),
          keymap.of([...historyKeymap, ...defaultKeymap]),
          checking(type.name, (fault) => {
            now.current.onChecked(fault);
          }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) now.current.onChange(state.doc.toString());
          }),
          LOOK,
        ],
      }),
    });
    editor.current = view;
    if (takesFocus()) view.focus();
    return () => {
      editor.current = null;
      view.destroy();
    };
  }, [type]);
  useEffect(() => {
    const { current: view } = editor;
    if (view !== null && view.state.doc.toString() !== applied)
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: applied } });
  }, [applied]);
  return <div ref={place} />;
}
