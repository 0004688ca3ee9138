/** Names of options and fields that approve or deny. Only the complete word counts: `no-confirm` is not a denial. */
export const APPROVES = /^(?:is_?)?(?:approved?|allow(?:ed)?|accept(?:ed)?|confirm(?:ed)?|grant(?:ed)?|yes)$/i;
/** A field of this name is `true` for a denial. */
export const DENIES = /^(?:is_?)?(?:deny|denied|declined?|reject(?:ed)?|refused?|cancel(?:l?ed)?|abort(?:ed)?|no)$/i;
