/** Converts blocks for which text formats have no field to Markdown. */
import type { Artifact, AssistantMessageBlock, BlockOf, PlanEntry } from '../../model/blocks.ts';
import { fence } from '../../model/text/fence.ts';
import { escapeTags, quote } from './close-markdown.ts';

/** A block that is neither text, reasoning, a call, a medium nor an error. */
type OtherBlock = BlockOf<(typeof OTHER_TYPES)[number]>;
const OTHER_TYPES = ['code', 'command_result', 'data', 'action', 'plan', 'progress', 'artifact-thinking'] as const;

const isOther = (block: AssistantMessageBlock): block is OtherBlock =>
  (OTHER_TYPES as readonly string[]).includes(block.type);

/** The block as paragraphs of Markdown. A block that only shows the state of the chat, such as a wait, has none. */
export function otherToMarkdown(block: AssistantMessageBlock): readonly string[] {
  switch (block.type) {
    case 'code':
      return [fence(block.code.content, block.code.language), ...outputOf(block.code)];
    case 'command_result':
      return outputOf(block.commandResult);
    case 'data': {
      const { data } = block.data;
      return [typeof data === 'string' ? fence(data, '') : fence(JSON.stringify(data ?? null, undefined, 2), 'json')];
    }
    case 'action':
      return answeredQuestion(block);
    case 'plan':
      return [block.plan.map(planLine).join('\n')];
    case 'progress': {
      const { message, current, total } = block.progress;
      return [quote(escapeTags(`*Progress:* ${message} (${String(current)}/${String(total)})`))];
    }
    case 'artifact-thinking':
      return document(block);
    default:
      return [];
  }
}

/** Replaces these blocks by text. Permissions are left out: the formats have the calls. */
export function withOthersAsText(blocks: readonly AssistantMessageBlock[]): readonly AssistantMessageBlock[] {
  if (!blocks.some(isOther)) return blocks;
  const written = blocks.map((block) => ({ block, parts: isPermission(block) ? [] : otherToMarkdown(block) }));
  const shown = written.filter(({ block, parts }) => !isOther(block) || parts.length > 0);
  const isText = (index: number): boolean => {
    const item = shown[index];
    return item !== undefined && (item.block.type === 'content' || item.parts.length > 0);
  };
  return shown.map(({ block, parts }, index): AssistantMessageBlock => {
    if (parts.length === 0) return block;
    const { id, timestamp, parentId } = block;
    // The formats join adjacent texts.
    const before = isText(index - 1) ? '\n\n' : '';
    const after = shown[index + 1]?.block.type === 'content' ? '\n\n' : '';
    return {
      id,
      timestamp,
      ...(parentId !== undefined && { parentId }),
      type: 'content',
      status: 'success',
      content: before + parts.join('\n\n') + after,
    };
  });
}

const isPermission = (block: AssistantMessageBlock): boolean =>
  block.type === 'action' && block.action_type === 'tool_call_permission';

/** A question to the user, with the answer or the decision. */
function answeredQuestion(block: BlockOf<'action'>): readonly string[] {
  const { action_type, status, extra } = block;
  if (action_type === 'rate_limit') return [];
  const decision = status === 'granted' || status === 'denied' ? status : '';
  const answer = typeof extra?.['answer'] === 'string' ? extra['answer'] : decision;
  return [quote(escapeTags(`${questionOf(block)}${answer && `\n→ ${answer}`}`))];
}

function questionOf({ action_type, content = '', tool_call = {} }: BlockOf<'action'>): string {
  switch (action_type) {
    case 'tool_call_permission':
      return `*Permission:* **${tool_call.name ?? 'tool'}** ${tool_call.params ?? ''}`;
    case 'maximum_tool_calls_reached':
      return '*Question:* Continue after the maximum number of tool calls?';
    default:
      return `*Question:* ${content}`;
  }
}

const planLine = ({ title, state }: PlanEntry): string => `- [${state === 'done' ? 'x' : ' '}] ${oneLine(title)}`;

/** The name of the language in a type of document, such as `html` in `text/html`. */
const languages: Readonly<Record<Artifact['type'], string>> = {
  'application/vnd.ant.code': '',
  'text/markdown': 'markdown',
  'text/html': 'html',
  'image/svg+xml': 'svg',
  'application/vnd.ant.mermaid': 'mermaid',
  'application/vnd.ant.react': 'jsx',
};

/** A document that the agent has written beside its text. */
function document({ content, artifact }: BlockOf<'artifact-thinking'>): readonly string[] {
  if (!artifact) return [fence(content, '')];
  const { title, type, language = languages[type] } = artifact;
  return [quote(`*${oneLine(title)}*`), fence(content, language)];
}

/** What code or a command has printed, and its error. */
const outputOf = ({ output, error }: { readonly output?: string; readonly error?: string }): readonly string[] => [
  ...(output ? [fence(output, '')] : []),
  ...(error ? [quote(escapeTags(`*Error:* ${error}`))] : []),
];

/** Line breaks could begin a heading, and tags an element that does not end. */
export const oneLine = (name: string): string => escapeTags(name.replace(/\s+/g, ' '));
