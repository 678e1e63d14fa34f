/** What a token may be: RFC 6750 b64token of limited length. None of ours is longer. */
export const TOKEN_PATTERN = String.raw`[\w.~+/-]{1,512}=*`;
