/** For protocols whose parts have start and end events: one part is open until another kind of part starts. */
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
