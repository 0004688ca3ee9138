/** From groups of letters that look alike: a Latin one, then Cyrillic, Greek, Armenian, small capital, Cherokee and Lisu ones. */
export const lookalikes = (groups: string): ReadonlyMap<string, string> =>
  new Map(
    groups.split(' ').flatMap((group) => {
      const [latin = '', ...others] = Array.from(group);
      return others.map((other) => [other, latin] as const);
    }),
  );
/**
 * Letters and the Latin one that they look like, also “i” and “1” as “l”. In lower case, since a Cyrillic “В” in lower case still
 * looks like a small capital “B”.
 */
export const LATIN_LOOKALIKES = lookalikes(
  'aаαɑᴀꭺꓮ bвьβʙᏼꮟꓐ cсᴄꮯꓚ dԁᴅꭰꓓ eеεᴇꭼꓰ fꜰꓝ gɡԍցɢꮐꓖ hнһհʜꮋꓧ jјյᴊꭻꓙ kкκᴋꮶꓗ li1ıіιɩӏլɪꭵʟꮮꓡꓲ mмμᴍꮇꓟ nηոпɴꓠ ' +
    'o0оοσօᴏꓳ pрρᴘꮲꓑ qԛզ rгʀꭱꮢꓣ sѕςꜱꮪꓢ tтτᴛꭲꓔ uυսᴜꓴ vνѵᴠꮩꓦ wԝᴡꮃꓪ xхχꓫ yуүʏꮍꓬ zζᴢꮓꓜ',
);
