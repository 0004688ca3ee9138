/** For wires on which a part has a beginning and an end: one of them is open, until something of another kind comes. */
export function oneAtATime<Kind extends string>({
  begin,
  end,
}: {
  readonly begin: (kind: Kind) => Promise<unknown>;
  readonly end: (kind: Kind) => Promise<unknown>;
}): (kind?: Kind) => Promise<void> {
  let open: Kind | undefined;
  return async (kind) => {
    if (kind === open) return;
    const last = open;
    open = kind;
    if (last !== undefined) await end(last);
    if (kind !== undefined) await begin(kind);
  };
}
