import { html, type TemplateResult } from 'lit';
import { defineOnce } from '../primitives/define-once.ts';
import { AgentChatChart } from './chart-element.ts';
import type { RenderContext } from './renderer.ts';
import type { ChartData } from './table-data.ts';

// The one element of each of these chunks: a page that never shows it never loads it.
defineOnce('agent-chat-chart', AgentChatChart);

/** A drawn chart, with its numbers as a table one press away. */
export const chartView = ({
  chart,
  caption,
  context,
}: {
  readonly chart: ChartData;
  readonly caption: string;
  readonly context: RenderContext;
}): TemplateResult =>
  html`<agent-chat-chart
    .chart=${chart}
    .caption=${caption}
    .context=${context}
    .localize=${context.settings.localize}
  ></agent-chat-chart>`;
