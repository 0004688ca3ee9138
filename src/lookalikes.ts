/** From groups of letters that look alike: a Latin one, then Cyrillic, Greek, Armenian, small capital, Cherokee, Lisu and Coptic ones. */
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
  'aаαɑᴀꭺꓮⲁ bвьβʙᏼꮟꓐⲃ cсᴄꮯꓚⲥ dԁᴅꭰꓓ eеεᴇꭼꓰⲉ fꜰꓝ gɡԍցɢꮐꓖ hнһհʜꮋꓧⲏ jјյᴊꭻꓙϳ kкκᴋꮶꓗⲕ li1ıіιɩӏլɪꭵʟꮮꓡꓲⲓ mмμᴍꮇꓟⲙ nηոпɴꓠⲛ ' +
    'o0оοσօᴏꓳⲟ pрρᴘꮲꓑⲣ qԛզ rгʀꭱꮢꓣⲅ sѕςꜱꮪꓢ tтτᴛꭲꓔⲧ uυսᴜꓴ vνѵᴠꮩꓦ wԝᴡꮃꓪⲱ xхχꓫⲭ yуүʏꮍꓬⲩ zζᴢꮓꓜⲍ',
);
