import type { LoadDiagram } from '../../primitives/code/code-tools.ts';
import { withBlockStyles } from '../core/with-block-styles.ts';

const loadDiagram: LoadDiagram = () => withBlockStyles(async () => (await import('./diagram.ts')).diagramView);

/** Loads the diagram renderer of a code language, if there is one and the page allows frames. */
export const diagramLoaderFor = (language: string, artifacts: 'frame' | 'source'): LoadDiagram | undefined =>
  artifacts === 'frame' && language.toLowerCase() === 'mermaid' ? loadDiagram : undefined;
