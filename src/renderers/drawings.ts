import type { LoadDrawing } from '../primitives/code-tools.ts';

const loadDiagram: LoadDrawing = async () => (await import('./diagram.ts')).diagramView;

/** What draws code of a language, where code is the source of a drawing and the page lets frames be made. */
export const drawingOf = (language: string, artifacts: 'frame' | 'source'): LoadDrawing | undefined =>
  artifacts === 'frame' && language.toLowerCase() === 'mermaid' ? loadDiagram : undefined;
