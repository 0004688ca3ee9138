/** The document that renders a diagram. Its sandboxed frame can't load anything, and reports only success or failure. */

/** The widget's colours (as `#rrggbb`) and font, which the frame does not inherit. */
export interface DiagramTheme {
  readonly dark: boolean;
  readonly background: string;
  readonly foreground: string;
  readonly line: string;
  readonly surface: string;
  readonly font: string;
}

/** Reads the result from a message of the frame. Undefined for any other message. */
export function parseDiagramMessage(message: unknown): 'drawn' | 'failed' | undefined {
  if (typeof message !== 'object' || message === null || !('method' in message)) return undefined;
  const { method } = message;
  return method === 'drawn' || method === 'failed' ? method : undefined;
}

/** `maxTextSize` and `maxEdges` are Mermaid's defaults. */
const mermaidConfig = ({ dark, background, foreground, line, surface, font }: DiagramTheme): object => ({
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

/** Serializes a value as a JavaScript literal for a script element. Without `<`, it can't contain `</script` or `<!--`. */
const toScriptLiteral = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/**
 * Returns the HTML of the frame.
 *
 * The document inserts Mermaid's SVG with `innerHTML`. This adds no risk: Mermaid has already inserted the same markup in the
 * same way to measure it. `innerHTML` does not run script elements, and the frame has its own origin and can't load anything.
 *
 * The links of the SVG lose their targets. A click on one would replace the diagram by the browser's error page, because the
 * frame can't navigate.
 *
 * @param code - the source code of Mermaid
 * @param source - the source of the diagram
 */
export const diagramDocument = (code: string, source: string, theme: DiagramTheme): string =>
  `<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="${theme.dark ? 'dark' : 'light'}">
<style>html{background:${theme.background}}body{margin:0;display:flow-root}svg{display:block;margin:auto;max-width:100%;height:auto}</style>
<body><script>
const report = (method) => parent.postMessage({ jsonrpc: '2.0', method }, '*');
const script = document.createElement('script');
script.textContent = ${toScriptLiteral(code)};
document.head.append(script);
mermaid.initialize(${toScriptLiteral(mermaidConfig(theme))});
mermaid.render('diagram', ${toScriptLiteral(source)}).then(
  ({ svg }) => {
    document.body.innerHTML = svg;
    for (const link of document.querySelectorAll('a'))
      for (const name of ['href', 'xlink:href']) link.removeAttribute(name);
    report('drawn');
  },
  () => report('failed'),
);
</script></body>`;
