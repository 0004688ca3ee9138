/** A piece of an answer, told apart. `was`: what has been called text so far turns out to be reasoning. */
export type ThoughtPiece =
  { readonly kind: 'text' | 'reasoning'; readonly text: string } | { readonly kind: 'text-was-reasoning' };

export interface ThinkTagSplitter {
  feed(text: string): readonly ThoughtPiece[];
  /** Nothing more will come: a half tag was text after all. */
  end(): readonly ThoughtPiece[];
}

const OPEN = ['<think>', '<thinking>', '<reasoning>', '◁think▷'];
const CLOSE = ['</think>', '</thinking>', '</reasoning>', '◁/think▷'];

/** A closing tag without its opening one, alone on its line: inside a sentence it is somebody writing about such tags. */
const LONE_CLOSE = /(?:^|\n)(?:<\/(?:think|thinking|reasoning)>|◁\/think▷)[ \t]*(?:\n|$)/;
/** No tag is in it, and none may begin at its end. */
const TAGLESS = /^[^<◁]*[^<◁\s]$/;
/** The same where the text so far has not ended with its line. */
const LONE_CLOSE_LATER = new RegExp(LONE_CLOSE.source.replace('(?:^|\\n)', '\\n'));

/**
 * Takes `<think>…</think>` out of an answer: only at its very start, where models put it, and with the line ends beside the
 * tags. Templates of the R1 family send the closing tag alone. A tag may be cut anywhere.
 * Source: `openai-chat.md`, "Chunk"; AgentScope Msg, section 3.
 */
export function splitThinkTags(): ThinkTagSplitter {
  /** `opened`: right behind the tag; `plain`: text that may still be a thought; `gap` and `text`: behind a thought. */
  let place: 'start' | 'opened' | 'thought' | 'plain' | 'gap' | 'text' = 'start';
  let held = '';
  /** The last character of what was given as plain text. */
  let given = '';

  const findClose = (all: boolean): Found | undefined => {
    if (place === 'thought') return firstOf(held, CLOSE);
    return loneClose(held, given === '' || given === '\n' ? LONE_CLOSE : LONE_CLOSE_LATER, all);
  };
  /** One step at the present place; false when it needs more. */
  const step = (pieces: ThoughtPiece[], all: boolean): boolean => {
    const give = (kind: 'text' | 'reasoning', text: string): void => {
      if (text) pieces.push({ kind, text });
    };
    switch (place) {
      case 'start': {
        const text = held.trimStart();
        const tag = OPEN.find((open) => text.startsWith(open));
        if (!tag && !all && OPEN.some((open) => open.startsWith(text))) return false;
        if (tag) held = text.slice(tag.length);
        place = tag ? 'opened' : 'plain';
        return true;
      }
      case 'opened':
      case 'gap':
        held = held.replace(/^\n+/, '');
        if (held) place = place === 'opened' ? 'thought' : 'text';
        return held !== '';
      case 'text':
        give('text', held);
        held = '';
        return false;
      default: {
        const close = findClose(all);
        if (!close) {
          const sure = held.slice(0, held.length - (all ? 0 : possibleTag(held)));
          give(place === 'plain' ? 'text' : 'reasoning', sure);
          if (place === 'plain') given = sure.at(-1) ?? given;
          held = held.slice(sure.length);
          return false;
        }
        if (place === 'plain' && given) pieces.push({ kind: 'text-was-reasoning' });
        give('reasoning', held.slice(0, close.index).replace(/\n+$/, ''));
        held = held.slice(close.index + close.length);
        place = 'gap';
        return true;
      }
    }
  };
  const run = (all: boolean): ThoughtPiece[] => {
    const pieces: ThoughtPiece[] = [];
    while (step(pieces, all));
    return pieces;
  };
  return {
    feed(text) {
      held += text;
      const kind = place === 'plain' ? 'text' : place === 'thought' ? 'reasoning' : undefined;
      if (!kind || !TAGLESS.test(held)) return run(false);
      const piece = held;
      held = '';
      if (kind === 'text') given = piece.at(-1) ?? '';
      return [{ kind, text: piece }];
    },
    end: () => run(true),
  };
}

interface Found {
  readonly index: number;
  readonly length: number;
}

function firstOf(text: string, tags: readonly string[]): Found | undefined {
  const found = tags.map((tag) => ({ index: text.indexOf(tag), length: tag.length })).filter(({ index }) => index >= 0);
  return found.sort((left, right) => left.index - right.index)[0];
}

/** At the end of what has come, the line of the tag may still go on. */
function loneClose(text: string, tag: RegExp, all: boolean): Found | undefined {
  const match = tag.exec(text);
  return match && (all || match[0].endsWith('\n')) ? { index: match.index, length: match[0].length } : undefined;
}

/** How many characters at the end may be the beginning of a closing tag, with the line ends that go away with it. */
function possibleTag(text: string): number {
  const tail = /\n*(?:<[/a-z]*>?|◁[/a-z]*▷?)?[ \t]*$/.exec(text.slice(-64))?.[0] ?? '';
  const tag = tail.trim();
  return tag === '' || CLOSE.some((close) => close.startsWith(tag)) ? tail.length : 0;
}
