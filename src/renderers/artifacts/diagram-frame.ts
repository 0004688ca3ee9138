/**
 * The document that renders a diagram. It runs in a frame that may load nothing, and reports only success or failure.
 */

/** Colours as `#rrggbb`. */
export interface DiagramTheme {
  readonly dark: boolean;
  readonly background: string;
  readonly foreground: string;
  readonly line: string;
  readonly surface: string;
  readonly font: string;
}

/** Parses a message of the frame. */
export function parseDiagramMessage(message: unknown): 'drawn' | 'failed' | undefined {
  if (typeof message !== 'object' || message === null || !('method' in message)) return undefined;
  const { method } = message;
  return method === 'drawn' || method === 'failed' ? method : undefined;
}

/** The limits are Mermaid's defaults. */
const settingsOf = ({ dark, background, foreground, line, surface, font }: DiagramTheme): object => ({
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

/** Serializes a value for a script element; nothing in it can end the script. */
const quoted = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/**
 * `code`: the source code of Mermaid. Its output is inserted by `innerHTML` in the frame, not in the page; the frame
 * has its own origin and may load nothing. Mermaid has already inserted the same markup the same way to measure it, and
 * scripts inserted so do not run. Its links lead nowhere: they would replace the diagram by the browser's page for blocked content.
 */
export const diagramDocument = (code: string, source: string, theme: DiagramTheme): string =>
  `<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="${theme.dark ? 'dark' : 'light'}">
<style>html{background:${theme.background}}body{margin:0;display:flow-root}svg{display:block;margin:auto;max-width:100%;height:auto}</style>
<body><script>
const say = (method) => parent.postMessage({ jsonrpc: '2.0', method }, '*');
const script = document.createElement('script');
script.textContent = ${quoted(code)};
document.head.append(script);
mermaid.initialize(${quoted(settingsOf(theme))});
mermaid.render('diagram', ${quoted(source)}).then(
  ({ svg }) => {
    document.body.innerHTML = svg;
    for (const link of document.querySelectorAll('a'))
      for (const name of ['href', 'xlink:href']) link.removeAttribute(name);
    say('drawn');
  },
  () => say('failed'),
);
</script></body>`;
