/** Tabs: one panel at a time, with the keys of the ARIA pattern. Source: WAI-ARIA Authoring Practices, "Tabs". */
import { html, nothing, type TemplateResult } from 'lit';
import { withoutInvisible } from '../../../safety/urls.ts';
import type { NodeOf, UiNode } from '../read/node-types.ts';
import type { SurfaceHost } from './surface-host.ts';

export function tabs(
  node: NodeOf<'Tabs'>,
  host: SurfaceHost,
  inside: (nodes: readonly UiNode[], host: SurfaceHost) => unknown,
): TemplateResult {
  const selected = Math.min(host.tab(node), node.tabs.length - 1);
  const content = node.tabs[selected]?.child;
  const id = host.idOf(node);
  return html`<div class="ui-column">
    <div
      class="ui-tabs"
      role="tablist"
      aria-label=${withoutInvisible(node.ariaName) || nothing}
      @keydown=${(event: KeyboardEvent) => {
        const next = neighbour(event, selected, node.tabs.length);
        if (next === undefined) return;
        event.preventDefault();
        host.openTab(node, next);
        const list = event.currentTarget as HTMLElement;
        list.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus();
      }}
    >
      ${node.tabs.map(
        ({ title }, index) =>
          html`<button
            type="button"
            class="button ghost"
            role="tab"
            id=${`${id}-tab-${String(index)}`}
            aria-selected=${index === selected ? 'true' : 'false'}
            aria-controls=${`${id}-panel`}
            tabindex=${index === selected ? '0' : '-1'}
            @click=${() => {
              host.openTab(node, index);
            }}
          >
            ${withoutInvisible(title) || String(index + 1)}
          </button>`,
      )}
    </div>
    <div class="ui-column" role="tabpanel" id=${`${id}-panel`} aria-labelledby=${`${id}-tab-${String(selected)}`}>
      ${content ? inside([content], host) : nothing}
    </div>
  </div>`;
}

/** The tab that a key moves to. */
function neighbour({ key, currentTarget }: KeyboardEvent, selected: number, count: number): number | undefined {
  const isRtl = getComputedStyle(currentTarget as Element).direction === 'rtl';
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
  return step === 0 ? undefined : (selected + (isRtl ? -step : step) + count) % count;
}
