/** Decimals of a currency in ISO 4217; no country's currency has one decimal, or more than three. */
export type CurrencyExponent = 0 | 2 | 3;

/** The currency of a country's prices. */
export interface Currency {
  /** ISO 4217, such as `MXN`. */
  readonly code: string;
  readonly exponent: CurrencyExponent;
}

/**
 * The currency of each country of ISO 3166-1, after ISO 4217's list one as amended until 2026: a currency, then its
 * countries. One currency a country: where the list has several, and where it has none (Antarctica, Palestine, South
 * Georgia), docs/integrator.md says which one this is. Not from `Intl`, whose data (CLDR) has the decimals that people
 * write, not those of the standard: none for COP, HUF and IDR.
 */
const COUNTRIES_BY_CURRENCY = `
  AED AE, AFN AF, ALL AL, AMD AM, AOA AO, ARS AR, AUD AU CC CX HM KI NF NR TV, AWG AW, AZN AZ, BAM BA, BBD BB,
  BDT BD, BHD BH, BIF BI, BMD BM, BND BN, BOB BO, BRL BR, BSD BS, BTN BT, BWP BW, BYN BY, BZD BZ, CAD CA, CDF CD,
  CHF CH LI, CLP CL, CNY CN, COP CO, CRC CR, CUP CU, CVE CV, CZK CZ, DJF DJ, DKK DK FO GL, DOP DO, DZD DZ, EGP EG,
  ERN ER, ETB ET,
  EUR AD AT AX BE BG BL CY DE EE ES FI FR GF GP GR HR IE IT LT LU LV MC ME MF MQ MT NL PM PT RE SI SK SM TF VA YT,
  FJD FJ, FKP FK, GBP GB GG GS IM JE, GEL GE, GHS GH, GIP GI, GMD GM, GNF GN, GTQ GT, GYD GY, HKD HK, HNL HN,
  HTG HT, HUF HU, IDR ID, ILS IL PS, INR IN, IQD IQ, IRR IR, ISK IS, JMD JM, JOD JO, JPY JP, KES KE, KGS KG,
  KHR KH, KMF KM, KPW KP, KRW KR, KWD KW, KYD KY, KZT KZ, LAK LA, LBP LB, LKR LK, LRD LR, LSL LS, LYD LY,
  MAD EH MA, MDL MD, MGA MG, MKD MK, MMK MM, MNT MN, MOP MO, MRU MR, MUR MU, MVR MV, MWK MW, MXN MX, MYR MY,
  MZN MZ, NAD NA, NGN NG, NIO NI, NOK BV NO SJ, NPR NP, NZD CK NU NZ PN TK, OMR OM, PEN PE, PGK PG, PHP PH,
  PKR PK, PLN PL, PYG PY, QAR QA, RON RO, RSD RS, RUB RU, RWF RW, SAR SA, SBD SB, SCR SC, SDG SD, SEK SE, SGD SG,
  SHP SH, SLE SL, SOS SO, SRD SR, SSP SS, STN ST, SYP SY, SZL SZ, THB TH, TJS TJ, TMT TM, TND TN, TOP TO, TRY TR,
  TTD TT, TWD TW, TZS TZ, UAH UA, UGX UG, USD AQ AS BQ EC FM GU IO MH MP PA PR PW SV TC TL UM US VG VI, UYU UY,
  UZS UZ, VES VE, VND VN, VUV VU, WST WS, XAF CF CG CM GA GQ TD, XCD AG AI DM GD KN LC MS VC, XCG CW SX,
  XOF BF BJ CI GW ML NE SN TG, XPF NC PF WF, YER YE, ZAR ZA, ZMW ZM, ZWG ZW`;

/** All others have two, and so have those with a fifth as their coin (MGA, MRU). */
const WITHOUT_DECIMALS = new Set(
  'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' '),
);
const WITH_THREE_DECIMALS = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '));

/** By alpha-2 code, upper case. */
const CURRENCIES: ReadonlyMap<string, Currency> = new Map(
  COUNTRIES_BY_CURRENCY.split(',').flatMap((entry) => {
    const [code = '', ...countries] = entry.trim().split(/\s+/);
    return countries.map((country) => [country, { code, exponent: exponentOf(code) }] as const);
  }),
);

/** Throws for a code that is no country's: the table has each of countries.ts, which a test checks. */
export function currencyOf(country: string): Currency {
  const currency = CURRENCIES.get(country);
  if (!currency) throw new Error(`The country ${country} has no currency.`);
  return currency;
}

function exponentOf(currency: string): CurrencyExponent {
  if (WITHOUT_DECIMALS.has(currency)) return 0;
  return WITH_THREE_DECIMALS.has(currency) ? 3 : 2;
}
