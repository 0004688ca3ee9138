import { html, type TemplateResult } from 'lit';
import type { Localize } from '../locales/localize.ts';
import { icon } from '../primitives/icon.ts';
import type { TracedTurn } from '../runtime/trace-log.ts';
import type { ListName, Related, Row } from './inspector-rows.ts';

/** Longer values are cut where they are shown, not where they are copied. */
const SHOWN_LENGTH = 100_000;

export interface DetailProps {
  readonly localize: Localize;
  readonly list: ListName;
  readonly row: Row;
  close(): void;
}

/** All of one row. */
export function inspectorDetail({ localize, list, row, close }: DetailProps): TemplateResult {
  const text = typeof row.shown === 'string' ? row.shown : JSON.stringify(row.shown, null, 2);
  const label = localize('inspector.close');
  return html`<div class="detail">
    <agent-chat-code
      dir="ltr"
      .code=${text.slice(0, SHOWN_LENGTH)}
      .filename=${[localize(`inspector.${list}`), row.name].filter(Boolean).join(' · ')}
      .language=${'json'}
      .localize=${localize}
    ></agent-chat-code>
    <button type="button" class="icon-button" aria-label=${label} title=${label} @click=${close}>
      ${icon('close', 'small')}
    </button>
  </div>`;
}

/** A turn in numbers, and what belongs to the row that was chosen. */
export function factsOf(
  { protocol, framing, frames, start }: TracedTurn,
  dropped: number,
  { localize, related }: { readonly localize: Localize; readonly related: Related | undefined },
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
  ].filter((fact) => fact !== '');
}
