import type { BlockOf } from './blocks.ts';

/** Whether "Always" may answer a permission request. For a command it would allow every command. */
export const isRememberable = ({ extra }: Pick<BlockOf<'action'>, 'extra'>): boolean =>
  extra?.['permissionType'] !== 'command' && extra?.['rememberable'] !== false;
