/** The page in which a diagram is drawn. It runs in a frame that may load nothing, and says one word: that it has drawn, or can't. */

/** Colours as `#rrggbb`. */
export interface Look {
  readonly dark: boolean;
  readonly background: string;
  readonly foreground: string;
  readonly line: string;
  readonly surface: string;
  readonly font: string;
}

/** What a page has said, as far as it is believed. */
export function readSaying(message: unknown): 'drawn' | 'failed' | undefined {
  if (typeof message !== 'object' || message === null || !('method' in message)) return undefined;
  const { method } = message;
  return method === 'drawn' || method === 'failed' ? method : undefined;
}

/** The limits are Mermaid's own. */
const settingsOf = ({ dark, background, foreground, line, surface, font }: Look): object => ({
  startOnLoad: false,
  securityLevel: 'strict',
  suppressErrorRendering: true,
  maxTextSize: 50_000,
  maxEdges: 500,
  fontFamily: font,
  theme: 'base',
  themeVariables: {
    darkMode: dark,
    background,
    primaryColor: surface,
    primaryTextColor: foreground,
    primaryBorderColor: line,
    lineColor: line,
    textColor: foreground,
    edgeLabelBackground: background,
    fontFamily: font,
    fontSize: '14px',
  },
});

/** A value as a script of a page has it: nothing in it ends the script. */
const quoted = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/**
 * `code`: Mermaid itself. What it gives goes in by `innerHTML`, of the frame and not of the page: an origin of its own that may load
 * nothing. Mermaid has put the same markup there by the same means to measure it, and a script that comes so does not run.
 */
export const diagramPage = (code: string, source: string, look: Look): string =>
  `<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="${look.dark ? 'dark' : 'light'}">
<style>html{background:${look.background}}body{margin:0;display:flow-root}svg{display:block;margin:auto;max-width:100%;height:auto}</style>
<body><script>
const say = (method) => parent.postMessage({ jsonrpc: '2.0', method }, '*');
const script = document.createElement('script');
script.textContent = ${quoted(code)};
document.head.append(script);
mermaid.initialize(${quoted(settingsOf(look))});
mermaid.render('diagram', ${quoted(source)}).then(
  ({ svg }) => {
    document.body.innerHTML = svg;
    say('drawn');
  },
  () => say('failed'),
);
</script></body>`;
