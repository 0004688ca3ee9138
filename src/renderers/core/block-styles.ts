import { createStylesheet } from '../../theme/stylesheet.ts';
import ask from '../actions/ask.css?inline';
import artifact from '../artifacts/artifact.css?inline';
import chart from '../data/chart.css?inline';
import data from '../data/data.css?inline';
import media from '../media/media.css?inline';
import plan from '../status/plan.css?inline';
import callArguments from '../tools/call-arguments.css?inline';
import jsonTree from '../tools/json-tree.css?inline';
import terminalOutput from '../tools/terminal-output.css?inline';
import toolCall from '../tools/tool-call.css?inline';
import blocks from './blocks.css?inline';
import card from './card.css?inline';
import steps from './steps.css?inline';

/**
 * The stylesheet of all blocks except text and errors, which a plain answer does not need. `blocks.css` comes last, because it
 * changes rules of the others for small widgets and touch devices.
 */
export const blockStyles = createStylesheet(
  [
    steps,
    callArguments,
    toolCall,
    card,
    ask,
    media,
    artifact,
    data,
    chart,
    jsonTree,
    terminalOutput,
    plan,
    blocks,
  ].join(''),
);
