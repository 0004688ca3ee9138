import { adopt } from '../../theme/adopt.ts';

/**
 * Loads the component of a block other than text, in parallel with the styles and texts of such blocks, which a plain
 * answer does not need.
 */
export async function withBlockStyles<Props>(
  load: () => Promise<(props: Props) => unknown>,
): Promise<(props: Props) => unknown> {
  const [component, { blockStyles }] = await Promise.all([
    load(),
    import('./block-styles.ts'),
    import('../../locales/english/all-english.ts'),
  ]);
  return (props) => [adopt(blockStyles), component(props)];
}
