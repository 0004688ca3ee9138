import { html, type TemplateResult } from 'lit';
import type { Localize } from '../../locales/localize.ts';
import { icon } from '../../primitives/icon.ts';
import type { TracedTurn } from '../../runtime/trace/trace-log.ts';
import type { InspectorListName, RelatedRows, InspectorRow } from './inspector-rows.ts';

/** Longer values are truncated in the view, not in the copied text. */
const MAX_LENGTH = 100_000;

export interface DetailProps {
  readonly localize: Localize;
  readonly list: InspectorListName;
  readonly row: InspectorRow;
  close(): void;
}

/** The complete content of one row. */
export function inspectorDetail({ localize, list, row, close }: DetailProps): TemplateResult {
  const text = typeof row.shown === 'string' ? row.shown : JSON.stringify(row.shown, null, 2);
  const label = localize('inspector.close');
  return html`<div class="detail">
    <agent-chat-code
      dir="ltr"
      .code=${text.slice(0, MAX_LENGTH)}
      .filename=${[localize(`inspector.${list}`), row.name].filter(Boolean).join(' · ')}
      .language=${'json'}
      .localize=${localize}
    ></agent-chat-code>
    <button type="button" class="icon-button" aria-label=${label} title=${label} @click=${close}>
      ${icon('close', 'small')}
    </button>
  </div>`;
}

/** Summary of a turn: the counts related to the selected row, protocol, time to the first frame, size. */
export function turnSummary(
  { protocol, framing, frames, start }: TracedTurn,
  dropped: number,
  { localize, related }: { readonly localize: Localize; readonly related: RelatedRows | undefined },
): readonly string[] {
  const [first] = frames.values();
  let length = 0;
  for (const { frame } of frames.values()) length += frame.data.length;
  return [
    related
      ? localize('inspector.related', {
          frames: related.frames.size,
          events: related.events.size,
          blocks: related.blocks.size,
        })
      : '',
    protocol ?? '',
    framing ?? '',
    first ? localize('inspector.first', { time: localize.duration(first.time - start) }) : '',
    length > 0 ? localize.bytes(length) : '',
    dropped > 0 ? localize('inspector.dropped', { count: dropped }) : '',
  ].filter((part) => part !== '');
}
