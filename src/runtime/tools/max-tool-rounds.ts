import type { ChatSettings } from '../chat-settings.ts';

const DEFAULT_ROUNDS = 8;

/** The number of consecutive rounds without an answer by the user, after which the user is asked whether the agent may continue. */
export const maxToolRounds = ({ maxToolRounds: max = DEFAULT_ROUNDS }: Pick<ChatSettings, 'maxToolRounds'>): number =>
  max;
