import { html, type TemplateResult } from 'lit';
import { defineOnce } from '../../primitives/define-once.ts';
import { AgentChatChart } from './chart-element.ts';
import type { RenderContext } from '../core/renderer.ts';
import type { ChartData } from './parse-chart.ts';

// This chunk defines its own element, so pages without charts never load it.
defineOnce('agent-chat-chart', AgentChatChart);

/** A chart, with a button that shows its numbers as a table. */
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
