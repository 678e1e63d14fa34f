package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
)

func main() {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("WEBHOOK_SECRET"), "whsec_"))
	if err != nil {
		panic(err)
	}
	var seen sync.Map
	http.HandleFunc("/hooks", func(response http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		id := request.Header.Get("webhook-id")
		mac := hmac.New(sha256.New, key)
		fmt.Fprintf(mac, "%s.%s.%s", id, request.Header.Get("webhook-timestamp"), body)
		signature := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
		if !strings.Contains(request.Header.Get("webhook-signature"), signature) {
			http.Error(response, "bad signature", http.StatusUnauthorized)
			return
		}
		if _, known := seen.LoadOrStore(id, true); !known {
			fmt.Println("applied", id)
		}
		response.WriteHeader(http.StatusNoContent)
		response.Write([]byte(`{"detail":"ok"}`))
	})
	panic(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
