/** Apart from `configuration.ts`, because the widget deletes them without the code of the form. */
interface SavedConfiguration {
  readonly values: Readonly<Record<string, unknown>>;
  /** The keys of all fields of the form. */
  readonly fields: ReadonlySet<string>;
}

/** What the user has saved in the settings forms of agents in the page, by agent id. Deleted with the user's data, and for another user. */
export const savedConfigurations = new Map<string, SavedConfiguration>();
