/** Why TLS could not begin, and what to do about it. Without a full stop; the place stands before it. */
export type CertificateTrouble = { readonly why: string; readonly cure: string }

/** Nothing that is trusted leads to the certificate, or to one that the server sent along. */
const issuerUnknown = /^(DEPTH_ZERO_)?SELF_SIGNED_CERT|^UNABLE_TO_GET_ISSUER_CERT/

/**
 * The words for an error code of Node about a certificate or about TLS; undefined for any other code.
 *
 * @param hasCaFile whether the settings name the trusted certificates (`caFile`) instead of using the system's
 */
export function certificateTrouble(code: string, hasCaFile: boolean): CertificateTrouble | undefined {
  if (code === 'CERT_HAS_EXPIRED') {
    const also = hasCaFile ? 'and the certificates in caFile' : 'and the clock of this machine'
    return {
      why: `the certificate has expired (${code})`,
      cure: `renew the server's certificate; if it is valid, check its issuers ${also}`,
    }
  }
  if (code === 'CERT_NOT_YET_VALID')
    return {
      why: `the certificate is not valid yet (${code})`,
      cure: "check the clock of this machine, and from which time on the server's certificate is valid",
    }
  if (code === 'UNABLE_TO_VERIFY_LEAF_SIGNATURE')
    return {
      why: `the certificate is refused: its issuer is neither sent along nor trusted (${code})`,
      cure: hasCaFile
        ? 'let the server send its intermediate certificates, too, or add the issuer (PEM) to caFile, which does not contain it'
        : 'let the server send its intermediate certificates, too; if the CA is private, name its certificate in the settings (caFile)',
    }
  if (issuerUnknown.test(code))
    return {
      why: `the certificate is refused: no trusted CA issued it (${code})`,
      cure: hasCaFile
        ? 'add the CA that issued it (PEM) to caFile, which does not contain it'
        : 'name the CA that issued it in the settings (caFile)',
    }
  if (code.includes('ALTNAME'))
    return {
      why: `the certificate is for another name (${code})`,
      cure: 'use a name of the certificate in the address, or give the server a certificate for this name',
    }
  if (/CERT|SIGNATURE|ISSUER|CRL/.test(code))
    return { why: `the certificate is refused (${code})`, cure: 'openssl s_client shows the certificate; the server needs another one' }
  if (/^(ERR_SSL|ERR_TLS|EPROTO)/.test(code))
    return { why: `TLS failed (${code})`, cure: 'check that this port speaks TLS, and which versions of TLS the server accepts' }
  return undefined
}
