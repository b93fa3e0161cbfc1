/**
 * The languages of posts, with their English names: those of Mastodon 4.6 in its order (ISO 639-1, Chinese by
 * region, some of ISO 639-3), because clients filter and name posts by this list.
 */
const LIST = `
  aa: Afar, ab: Abkhaz, ae: Avestan, af: Afrikaans, ak: Akan, am: Amharic, an: Aragonese, ar: Arabic,
  as: Assamese, av: Avaric, ay: Aymara, az: Azerbaijani, ba: Bashkir, be: Belarusian, bg: Bulgarian,
  bh: Bihari, bi: Bislama, bm: Bambara, bn: Bengali, bo: Tibetan, br: Breton, bs: Bosnian, ca: Catalan,
  ce: Chechen, ch: Chamorro, co: Corsican, cr: Cree, cs: Czech, cu: Old Church Slavonic, cv: Chuvash,
  cy: Welsh, da: Danish, de: German, dv: Divehi, dz: Dzongkha, ee: Ewe, el: Greek, en: English,
  eo: Esperanto, es: Spanish, et: Estonian, eu: Basque, fa: Persian, ff: Fula, fi: Finnish, fj: Fijian,
  fo: Faroese, fr: French, fy: Western Frisian, ga: Irish, gd: Scottish Gaelic, gl: Galician, gu: Gujarati,
  gv: Manx, ha: Hausa, he: Hebrew, hi: Hindi, ho: Hiri Motu, hr: Croatian, ht: Haitian, hu: Hungarian,
  hy: Armenian, hz: Herero, ia: Interlingua, id: Indonesian, ie: Interlingue, ig: Igbo, ii: Nuosu,
  ik: Inupiaq, io: Ido, is: Icelandic, it: Italian, iu: Inuktitut, ja: Japanese, jv: Javanese,
  ka: Georgian, kg: Kongo, ki: Kikuyu, kj: Kwanyama, kk: Kazakh, kl: Kalaallisut, km: Khmer, kn: Kannada,
  ko: Korean, kr: Kanuri, ks: Kashmiri, ku: Kurmanji (Kurdish), kv: Komi, kw: Cornish, ky: Kyrgyz,
  la: Latin, lb: Luxembourgish, lg: Ganda, li: Limburgish, ln: Lingala, lo: Lao, lt: Lithuanian,
  lu: Luba-Katanga, lv: Latvian, mg: Malagasy, mh: Marshallese, mi: Māori, mk: Macedonian, ml: Malayalam,
  mn: Mongolian, mn-Mong: Traditional Mongolian, mr: Marathi, ms: Malay, ms-Arab: Jawi Malay, mt: Maltese,
  my: Burmese, na: Nauru, nb: Norwegian Bokmål, nd: Northern Ndebele, ne: Nepali, ng: Ndonga, nl: Dutch,
  nn: Norwegian Nynorsk, no: Norwegian, nr: Southern Ndebele, nv: Navajo, ny: Chichewa, oc: Occitan,
  oj: Ojibwe, om: Oromo, or: Oriya, os: Ossetian, pa: Punjabi, pi: Pāli, pl: Polish, ps: Pashto,
  pt: Portuguese, qu: Quechua, rm: Romansh, rn: Kirundi, ro: Romanian, ru: Russian, rw: Kinyarwanda,
  sa: Sanskrit, sc: Sardinian, sd: Sindhi, se: Northern Sami, sg: Sango, si: Sinhala, sk: Slovak,
  sl: Slovenian, sn: Shona, so: Somali, sq: Albanian, sr: Serbian, ss: Swati, st: Southern Sotho,
  su: Sundanese, sv: Swedish, sw: Swahili, ta: Tamil, te: Telugu, tg: Tajik, th: Thai, ti: Tigrinya,
  tk: Turkmen, tl: Tagalog, tn: Tswana, to: Tonga, tr: Turkish, ts: Tsonga, tt: Tatar, tw: Twi,
  ty: Tahitian, ug: Uyghur, uk: Ukrainian, ur: Urdu, uz: Uzbek, ve: Venda, vi: Vietnamese, vo: Volapük,
  wa: Walloon, wo: Wolof, xh: Xhosa, yi: Yiddish, yo: Yoruba, za: Zhuang, zh: Chinese, zu: Zulu,
  zh-CN: Chinese (China), zh-HK: Chinese (Hong Kong), zh-TW: Chinese (Taiwan), zh-YUE: Cantonese,
  ast: Asturian, chr: Cherokee, ckb: Sorani (Kurdish), cnr: Montenegrin, csb: Kashubian, gsw: Swiss German,
  jbo: Lojban, kab: Kabyle, ldn: Láadan, lfn: Lingua Franca Nova, lzz: Lazuri, moh: Mohawk,
  nds: Low German, ota: Ottoman Turkish, pdc: Pennsylvania Dutch, sco: Scots, sma: Southern Sami,
  smj: Lule Sami, szl: Silesian, tok: Toki Pona, vai: Vai, xal: Kalmyk, xmf: Mingrelian, zba: Balaibalan,
  zgh: Standard Moroccan Tamazight, nan-TW: Hokkien (Taiwan)
`;

const entries = LIST.trim()
  .split(/,\s+/)
  .map((entry): [string, string] => {
    const [code = '', name = ''] = entry.split(': ');
    return [code, name];
  });
const names = new Map(entries);
const codes = new Map(entries.map(([code]) => [code.toLowerCase(), code]));

/** Returns all of them, as in `GET /api/v1/instance/languages`. */
export const knownLanguages = (): { code: string; name: string }[] =>
  entries.map(([code, name]) => ({ code, name }));

/** Returns the English name of a code on the list. */
export const listedName = (code: string): string | undefined => names.get(code);

/** Tells whether a code is on the list, in exactly this case. */
export const isListedCode = (code: string): boolean => names.has(code);

/** Returns the code on the list that matches a tag in any case. */
export const listedCode = (tag: string): string | undefined => codes.get(tag.toLowerCase());

/**
 * Returns the language of a post from the client's tag, as Mastodon does: the tag itself if it is on the list
 * in exactly this case, otherwise the part before the region; null for any other.
 */
export function postLanguage(tag: string | null | undefined): string | null {
  if (!tag) return null;
  if (names.has(tag)) return tag;
  const [language = ''] = tag.split(/[_-]/, 1);
  return names.has(language) ? language : null;
}
