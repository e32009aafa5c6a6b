/* OpenSSL is loaded only when the program listens or adds a user, because loading it takes longer
 * than loading the program. Its functions are called by their usual names, which are macros
 * here. */
#ifndef MT_WIRE_OPENSSL_H
#define MT_WIRE_OPENSSL_H

#include "base/error.h"

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

/* All functions of OpenSSL that this folder calls, also through macros of OpenSSL's headers. If one
 * is missing, the program does not link. */
#define MT_OPENSSL_FUNCTIONS(X) \
   X (CRYPTO_memcmp) \
   X (ERR_get_error) \
   X (ERR_reason_error_string) \
   X (EVP_DecodeBlock) \
   X (EVP_Digest) \
   X (EVP_EncodeBlock) \
   X (EVP_get_digestbyname) \
   X (EVP_sha256) \
   X (HMAC) \
   X (OBJ_find_sigid_algs) \
   X (OBJ_nid2sn) \
   X (OPENSSL_cleanse) \
   X (PKCS5_PBKDF2_HMAC) \
   X (RAND_bytes) \
   X (SSL_CTX_check_private_key) \
   X (SSL_CTX_ctrl) \
   X (SSL_CTX_free) \
   X (SSL_CTX_get0_certificate) \
   X (SSL_CTX_new) \
   X (SSL_CTX_set_options) \
   X (SSL_CTX_use_PrivateKey_file) \
   X (SSL_CTX_use_certificate_chain_file) \
   X (SSL_accept) \
   X (SSL_free) \
   X (SSL_new) \
   X (SSL_pending) \
   X (SSL_read) \
   X (SSL_set_fd) \
   X (SSL_shutdown) \
   X (SSL_write) \
   X (TLS_server_method) \
   X (X509_digest) \
   X (X509_get_signature_nid)

typedef struct MtOpenssl {
#define MT_FIELD(name) __typeof__ (name) *name;
   MT_OPENSSL_FUNCTIONS (MT_FIELD)
#undef MT_FIELD
} MtOpenssl;

/* The functions; all NULL until mt_openssl_load has loaded the library. */
extern MtOpenssl mt_openssl;

#define CRYPTO_memcmp mt_openssl.CRYPTO_memcmp
#define ERR_get_error mt_openssl.ERR_get_error
#define ERR_reason_error_string mt_openssl.ERR_reason_error_string
#define EVP_DecodeBlock mt_openssl.EVP_DecodeBlock
#define EVP_Digest mt_openssl.EVP_Digest
#define EVP_EncodeBlock mt_openssl.EVP_EncodeBlock
#define EVP_get_digestbyname mt_openssl.EVP_get_digestbyname
#define EVP_sha256 mt_openssl.EVP_sha256
#define HMAC mt_openssl.HMAC
#define OBJ_find_sigid_algs mt_openssl.OBJ_find_sigid_algs
#define OBJ_nid2sn mt_openssl.OBJ_nid2sn
#define OPENSSL_cleanse mt_openssl.OPENSSL_cleanse
#define PKCS5_PBKDF2_HMAC mt_openssl.PKCS5_PBKDF2_HMAC
#define RAND_bytes mt_openssl.RAND_bytes
#define SSL_CTX_check_private_key mt_openssl.SSL_CTX_check_private_key
#define SSL_CTX_ctrl mt_openssl.SSL_CTX_ctrl
#define SSL_CTX_free mt_openssl.SSL_CTX_free
#define SSL_CTX_get0_certificate mt_openssl.SSL_CTX_get0_certificate
#define SSL_CTX_new mt_openssl.SSL_CTX_new
#define SSL_CTX_set_options mt_openssl.SSL_CTX_set_options
#define SSL_CTX_use_PrivateKey_file mt_openssl.SSL_CTX_use_PrivateKey_file
#define SSL_CTX_use_certificate_chain_file mt_openssl.SSL_CTX_use_certificate_chain_file
#define SSL_accept mt_openssl.SSL_accept
#define SSL_free mt_openssl.SSL_free
#define SSL_new mt_openssl.SSL_new
#define SSL_pending mt_openssl.SSL_pending
#define SSL_read mt_openssl.SSL_read
#define SSL_set_fd mt_openssl.SSL_set_fd
#define SSL_shutdown mt_openssl.SSL_shutdown
#define SSL_write mt_openssl.SSL_write
#define TLS_server_method mt_openssl.TLS_server_method
#define X509_digest mt_openssl.X509_digest
#define X509_get_signature_nid mt_openssl.X509_get_signature_nid

/* Loads OpenSSL. Call it before any of its functions, in the main thread. Fails with 58P01. */
bool mt_openssl_load (MtError *err);

#endif
