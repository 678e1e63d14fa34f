import { asciiLower, asciiUpper } from '../text/ascii-case';
import { type CurrencyExponent, currencyOf } from './currencies';

/** A country of ISO 3166-1, with the data that an integration needs. */
export interface Country {
  /** Alpha-2, upper case. */
  readonly code: string;
  /** Common English name. */
  readonly name: string;
  /** The language of its menus, for apps that require a locale: ISO 639. */
  readonly language: string;
  /** Such as `es_mx`. */
  readonly locale: string;
  /** Decimals of its currency (currencies.ts). */
  readonly currencyExponent: CurrencyExponent;
}

/** The country of an alpha-2 code in any case. */
export function findCountry(code: string): Country | undefined {
  return COUNTRIES.get(asciiUpper(code));
}

/** Grouped by an official language that menus are written in, because many countries share one. */
const NAMES_BY_LANGUAGE: Readonly<Record<string, string>> = {
  am: 'ET Ethiopia',
  ar: `
    AE United Arab Emirates, BH Bahrain, DZ Algeria, EG Egypt, EH Western Sahara, IQ Iraq,
    JO Jordan, KW Kuwait, LB Lebanon, LY Libya, MA Morocco, MR Mauritania, OM Oman,
    PS Palestine, QA Qatar, SA Saudi Arabia, SD Sudan, SY Syria, TN Tunisia, YE Yemen`,
  az: 'AZ Azerbaijan',
  be: 'BY Belarus',
  bg: 'BG Bulgaria',
  bn: 'BD Bangladesh',
  bs: 'BA Bosnia and Herzegovina',
  ca: 'AD Andorra',
  cs: 'CZ Czechia',
  da: 'DK Denmark, GL Greenland',
  de: 'AT Austria, CH Switzerland, DE Germany, LI Liechtenstein',
  dv: 'MV Maldives',
  dz: 'BT Bhutan',
  el: 'CY Cyprus, GR Greece',
  en: `
    AG Antigua and Barbuda, AI Anguilla, AQ Antarctica, AS American Samoa, AU Australia,
    BB Barbados, BM Bermuda, BS Bahamas, BW Botswana, BZ Belize, CA Canada, CK Cook Islands,
    CX Christmas Island, DM Dominica, FJ Fiji, FK Falkland Islands, FM Micronesia,
    GB United Kingdom, GD Grenada, GG Guernsey, GH Ghana, GI Gibraltar, GM Gambia,
    GS South Georgia and South Sandwich Islands, GU Guam, GY Guyana,
    HM Heard and McDonald Islands, IE Ireland, IM Isle of Man, IN India,
    IO British Indian Ocean Territory, JE Jersey, JM Jamaica, KE Kenya, KI Kiribati,
    KN Saint Kitts and Nevis, KY Cayman Islands, LC Saint Lucia, LR Liberia, LS Lesotho,
    MH Marshall Islands, MP Northern Mariana Islands, MS Montserrat, MT Malta, MU Mauritius,
    MW Malawi, NA Namibia, NF Norfolk Island, NG Nigeria, NR Nauru, NU Niue, NZ New Zealand,
    PG Papua New Guinea, PH Philippines, PK Pakistan, PN Pitcairn Islands, PW Palau,
    SB Solomon Islands, SC Seychelles, SG Singapore, SH Saint Helena, SL Sierra Leone,
    SS South Sudan, SX Sint Maarten, SZ Eswatini, TC Turks and Caicos Islands, TK Tokelau,
    TO Tonga, TT Trinidad and Tobago, TV Tuvalu, UG Uganda,
    UM United States Outlying Islands, US United States, VC Saint Vincent and Grenadines,
    VG British Virgin Islands, VI United States Virgin Islands, VU Vanuatu, WS Samoa,
    ZA South Africa, ZM Zambia, ZW Zimbabwe`,
  es: `
    AR Argentina, BO Bolivia, CL Chile, CO Colombia, CR Costa Rica, CU Cuba,
    DO Dominican Republic, EC Ecuador, ES Spain, GQ Equatorial Guinea, GT Guatemala,
    HN Honduras, MX Mexico, NI Nicaragua, PA Panama, PE Peru, PR Puerto Rico, PY Paraguay,
    SV El Salvador, UY Uruguay, VE Venezuela`,
  et: 'EE Estonia',
  fa: 'AF Afghanistan, IR Iran',
  fi: 'FI Finland',
  fo: 'FO Faroe Islands',
  fr: `
    BF Burkina Faso, BI Burundi, BJ Benin, BL Saint Barthélemy,
    CD Democratic Republic of the Congo, CF Central African Republic, CG Congo,
    CI Côte d'Ivoire, CM Cameroon, DJ Djibouti, FR France, GA Gabon, GF French Guiana,
    GN Guinea, GP Guadeloupe, KM Comoros, LU Luxembourg, MC Monaco, MF Saint Martin, ML Mali,
    MQ Martinique, NC New Caledonia, NE Niger, PF French Polynesia,
    PM Saint Pierre and Miquelon, RE Réunion, SN Senegal, TD Chad,
    TF French Southern Territories, TG Togo, WF Wallis and Futuna, YT Mayotte`,
  he: 'IL Israel',
  hr: 'HR Croatia',
  ht: 'HT Haiti',
  hu: 'HU Hungary',
  hy: 'AM Armenia',
  id: 'ID Indonesia',
  is: 'IS Iceland',
  it: 'IT Italy, SM San Marino, VA Vatican City',
  ja: 'JP Japan',
  ka: 'GE Georgia',
  kk: 'KZ Kazakhstan',
  km: 'KH Cambodia',
  ko: 'KP North Korea, KR South Korea',
  ky: 'KG Kyrgyzstan',
  lo: 'LA Laos',
  lt: 'LT Lithuania',
  lv: 'LV Latvia',
  mg: 'MG Madagascar',
  mk: 'MK North Macedonia',
  mn: 'MN Mongolia',
  ms: 'BN Brunei, CC Cocos Islands, MY Malaysia',
  my: 'MM Myanmar',
  nb: 'BV Bouvet Island, NO Norway, SJ Svalbard and Jan Mayen',
  ne: 'NP Nepal',
  nl: 'AW Aruba, BE Belgium, BQ Caribbean Netherlands, CW Curaçao, NL Netherlands, SR Suriname',
  pl: 'PL Poland',
  pt: `
    AO Angola, BR Brazil, CV Cape Verde, GW Guinea-Bissau, MZ Mozambique, PT Portugal,
    ST São Tomé and Príncipe, TL Timor-Leste`,
  ro: 'MD Moldova, RO Romania',
  ru: 'RU Russia',
  rw: 'RW Rwanda',
  si: 'LK Sri Lanka',
  sk: 'SK Slovakia',
  sl: 'SI Slovenia',
  so: 'SO Somalia',
  sq: 'AL Albania',
  sr: 'ME Montenegro, RS Serbia',
  sv: 'AX Åland Islands, SE Sweden',
  sw: 'TZ Tanzania',
  tg: 'TJ Tajikistan',
  th: 'TH Thailand',
  ti: 'ER Eritrea',
  tk: 'TM Turkmenistan',
  tr: 'TR Türkiye',
  uk: 'UA Ukraine',
  uz: 'UZ Uzbekistan',
  vi: 'VN Vietnam',
  zh: 'CN China, HK Hong Kong, MO Macao, TW Taiwan',
};

/** Every country by its code. */
export const COUNTRIES: ReadonlyMap<string, Country> = new Map(
  Object.entries(NAMES_BY_LANGUAGE)
    .flatMap(([language, names]) =>
      names.split(',').map((entry) => country(language, entry.trim())),
    )
    .map((entry) => [entry.code, entry]),
);

function country(language: string, codeAndName: string): Country {
  const code = codeAndName.slice(0, 2);
  return {
    code,
    name: codeAndName.slice(3),
    language,
    locale: `${language}_${asciiLower(code)}`,
    currencyExponent: currencyOf(code).exponent,
  };
}
