// A webhook receiver in Go 1.21 or later, without dependencies.
//
// WEBHOOK_SECRETS='whsec_… whsec_…' PORT=8080 go run verify_webhook.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const maxBody = 16 << 20

// Verify tells whether body, as received, was signed by the platform within the tolerance.
func Verify(keys [][]byte, header http.Header, body []byte, now time.Time, tolerance int64) bool {
	timestamp := header.Get("webhook-timestamp")
	second, err := strconv.ParseUint(timestamp, 10, 40)
	if err != nil {
		return false
	}
	if age := now.Unix() - int64(second); age > tolerance || age < -tolerance {
		return false
	}
	signed := append([]byte(header.Get("webhook-id")+"."+timestamp+"."), body...)
	given := strings.Split(header.Get("webhook-signature"), " ")
	return anySame(keys, signed, given, func(mac []byte) string {
		return "v1," + base64.StdEncoding.EncodeToString(mac)
	})
}

// VerifyXSignatureRequest checks the older header. Its `now` is the body's, and the same second as webhook-timestamp.
func VerifyXSignatureRequest(keys [][]byte, header http.Header, body []byte) bool {
	second, err := strconv.ParseUint(header.Get("webhook-timestamp"), 10, 40)
	if err != nil {
		return false
	}
	now := time.Unix(int64(second), 0).UTC().Format("2006-01-02T15:04:05.000Z")
	given := strings.Split(header.Get("x-signature-request"), ",")
	return anySame(keys, append([]byte(now+"."), body...), given, func(mac []byte) string {
		return "v1=" + hex.EncodeToString(mac)
	})
}

func anySame(keys [][]byte, signed []byte, given []string, form func([]byte) string) bool {
	for _, key := range keys {
		mac := hmac.New(sha256.New, key)
		mac.Write(signed)
		expected := []byte(form(mac.Sum(nil)))
		for _, each := range given {
			// Takes the same time wherever the first difference is; == does not.
			if hmac.Equal(expected, []byte(each)) {
				return true
			}
		}
	}
	return false
}

func decodeSecrets(secrets string) (keys [][]byte) {
	for _, secret := range strings.Fields(secrets) {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil {
			log.Fatal("a secret is not well-formed")
		}
		keys = append(keys, key)
	}
	return keys
}

// Inbox remembers what was applied. Yours is tables, written in the transaction that applies the message.
type Inbox struct {
	mutex  sync.Mutex
	seen   map[string]bool
	newest map[string]int64
}

type message struct {
	StoreID      string `json:"store_id"`
	ExternalID   string `json:"external_id"`
	CurrentStock string `json:"current_stock"`
}

// Take applies a message once; what it returns is told to the POS user as the reason of a refusal.
func (inbox *Inbox) Take(id string, sequence int64, m message) string {
	inbox.mutex.Lock()
	defer inbox.mutex.Unlock()
	if inbox.seen[id] {
		return ""
	}
	if m.ExternalID != "" {
		if strings.HasPrefix(m.CurrentStock, "-") {
			return "The stock cannot be negative."
		}
		item := m.StoreID + " " + m.ExternalID
		// A retry may arrive after a newer update of the same item: older news is no news.
		if last, known := inbox.newest[item]; !known || sequence > last {
			inbox.newest[item] = sequence
			fmt.Println("stock of", item, "is", m.CurrentStock)
		}
	}
	inbox.seen[id] = true
	return ""
}

func main() {
	keys := decodeSecrets(os.Getenv("WEBHOOK_SECRETS"))
	tolerance, err := strconv.ParseInt(os.Getenv("WEBHOOK_TOLERANCE"), 10, 64)
	if err != nil {
		tolerance = 300
	}
	inbox := &Inbox{seen: map[string]bool{}, newest: map[string]int64{}}
	receive := func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if err != nil {
			w.WriteHeader(http.StatusRequestEntityTooLarge)
			return
		}
		// The first is enough, and an event has no other. The older one is here to show how.
		hasOlder := len(r.Header.Values("x-signature-request")) > 0
		if !Verify(keys, r.Header, body, time.Now(), tolerance) ||
			(hasOlder && !VerifyXSignatureRequest(keys, r.Header, body)) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		var m message
		sequence, err := strconv.ParseInt(r.Header.Get("webhook-sequence"), 10, 64)
		if err != nil || json.Unmarshal(body, &m) != nil {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		refusal := inbox.Take(r.Header.Get("webhook-id"), sequence, m)
		if refusal == "" {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		w.Header().Set("content-type", "application/json")
		w.WriteHeader(http.StatusUnprocessableEntity)
		json.NewEncoder(w).Encode(map[string]string{"message": refusal})
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "8080"
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("listening on", listener.Addr().(*net.TCPAddr).Port)
	log.Fatal(http.Serve(listener, http.HandlerFunc(receive)))
}
